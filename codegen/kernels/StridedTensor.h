// Tensors that lie differently in memory, as one nest of loops reaches them.
//
// For each tensor it says how many elements one step of each loop moves in it.
// Broadcasting is a stride of 0, a transpose exchanges strides, a slice begins
// elsewhere. Neighbouring loops that walk every tensor as one loop would are
// merged, so that adding two tensors of any shape is one loop:
//
//   add  [8, 256, 384] + [384]   ->   2048 x 384, strides (384, 1) and (0, 1)

#ifndef CODEGEN_KERNELS_STRIDEDTENSOR_H_
#define CODEGEN_KERNELS_STRIDEDTENSOR_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp {

/// A tensor as a nest of loops reaches it; strides in elements, outermost loop
/// first. `elementType` is that of the tensor, i1 included.
struct StridedTensor {
  Place first;
  mlir::Type elementType;
  llvm::SmallVector<int64_t> strides;
};

/// The strides of a dense row-major tensor.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// `tensor`, whose elements lie from `first` on, in loops over the dimensions
/// of `shape`, to which it broadcasts: aligned at the last dimension.
StridedTensor broadcastTo(llvm::ArrayRef<int64_t> shape, mlir::Value tensor,
                          Place first);

/// A dense tensor in loops over its own dimensions.
StridedTensor dense(mlir::Value tensor, Place first);

/// `tensor` from the element at `offsets`, one for each loop, on.
StridedTensor shifted(KernelBuilder& builder, StridedTensor tensor,
                      llvm::ArrayRef<int64_t> offsets);

/// Loops of extents and strides, as few as do the same. None has an extent of
/// one.
struct MergedLoops {
  llvm::SmallVector<int64_t> extents;
  /// Of each loop, in each tensor.
  llvm::SmallVector<llvm::SmallVector<int64_t>> strides;
};

MergedLoops merge(llvm::ArrayRef<int64_t> extents,
                  llvm::ArrayRef<StridedTensor> tensors);

/// The type in which elements of a tensor lie in memory: i8 for i1.
mlir::Type memoryType(mlir::Type elementType);

/// An element of a tensor of `elementType`; i1 lies in memory as i8.
mlir::Value loadElement(KernelBuilder& builder, Place place,
                        mlir::Type elementType);
void storeElement(KernelBuilder& builder, mlir::Value value, Place place);

/// Sets `numElements` elements from `first` on, one after the other.
void fill(KernelBuilder& builder, Place first, int64_t numElements,
          mlir::Value value);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_STRIDEDTENSOR_H_
