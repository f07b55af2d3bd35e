// Tensors of different layouts, accessed by one nest of loops.
//
// A StridedTensor has a stride for each loop: the number of elements that one
// step of the loop moves in the tensor. Broadcasting is a stride of 0, a
// transpose exchanges strides, and a slice has another first element. Adjacent
// loops are merged if they step through every tensor as a single loop would:
//
//   add  [8, 256, 384] + [384]   ->   2048 x 384, strides (384, 1) and (0, 1)

#ifndef CODEGEN_KERNELS_STRIDEDTENSOR_H_
#define CODEGEN_KERNELS_STRIDEDTENSOR_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp {

/// A tensor as a nest of loops accesses it: its first element, and a stride per
/// loop, in elements, outermost loop first. `elementType` is the element type
/// of the tensor; for i1, the elements of the buffer are i8.
struct StridedTensor {
  ElementRef first;
  mlir::Type elementType;
  llvm::SmallVector<int64_t> strides;
};

/// Returns the strides of a dense row-major tensor, in elements.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// Returns the dense `tensor`, which begins at `first`, broadcast to `shape`,
/// for loops over the dimensions of `shape`. The last dimensions of `tensor`
/// and `shape` correspond. The stride is 0 in a dimension that `tensor` does
/// not have, or in which its extent is 1 and that of `shape` is not.
StridedTensor broadcastTo(llvm::ArrayRef<int64_t> shape, mlir::Value tensor,
                          ElementRef first);

/// Returns the dense `tensor`, which begins at `first`, for loops over its own
/// dimensions.
StridedTensor dense(mlir::Value tensor, ElementRef first);

/// Returns `tensor` with another first element: the element at `offsets`, an
/// index for each loop.
StridedTensor shifted(KernelBuilder& builder, StridedTensor tensor,
                      llvm::ArrayRef<int64_t> offsets);

/// A nest of loops after merging, outermost loop first. No loop has extent 1.
struct MergedLoops {
  llvm::SmallVector<int64_t> extents;
  /// Strides in elements: strides[loop][tensor].
  llvm::SmallVector<llvm::SmallVector<int64_t>> strides;
};

/// Merges adjacent loops of `extents` that step through each of `tensors` as a
/// single loop would, and drops loops of extent 1.
MergedLoops merge(llvm::ArrayRef<int64_t> extents,
                  llvm::ArrayRef<StridedTensor> tensors);

/// Returns the type in which elements are stored in memory: i8 for i1, the
/// element type itself for others.
mlir::Type memoryType(mlir::Type elementType);

/// Loads or stores an element of a tensor, converting i1 from or to i8.
mlir::Value loadElement(KernelBuilder& builder, ElementRef ref,
                        mlir::Type elementType);
void storeElement(KernelBuilder& builder, mlir::Value value, ElementRef ref);

/// Emits a loop that stores `value` to the `numElements` elements from `first`
/// on.
void fill(KernelBuilder& builder, ElementRef first, int64_t numElements,
          mlir::Value value);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_STRIDEDTENSOR_H_
