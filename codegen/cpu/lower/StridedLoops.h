// Element by element over tensors that lie differently in memory.
//
// A nest of loops, and for each tensor how many elements one step of each loop
// moves in it. Broadcasting is a stride of 0, a transpose exchanges strides, a
// slice begins elsewhere. Neighbouring loops that walk every tensor as one loop
// would are merged, so that adding two tensors of any shape is one loop:
//
//   add  [8, 256, 384] + [384]   ->   2048 x 384, strides (384, 1) and (0, 1)
//
// The code is scalar; LLVM turns the innermost loop into vectors.

#ifndef CODEGEN_CPU_LOWER_STRIDEDLOOPS_H_
#define CODEGEN_CPU_LOWER_STRIDEDLOOPS_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cpu {

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

using ComputeElement =
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>;

/// Emits loops of `extents` that load an element of each of `inputs`, compute,
/// and store one into each of `outputs`.
void buildStridedLoops(KernelBuilder& builder, llvm::ArrayRef<int64_t> extents,
                       llvm::ArrayRef<StridedTensor> inputs,
                       llvm::ArrayRef<StridedTensor> outputs,
                       ComputeElement compute);

/// The same without computing: copies `input` to `output`.
void copyStrided(KernelBuilder& builder, llvm::ArrayRef<int64_t> extents,
                 StridedTensor input, StridedTensor output);

/// Sets `numElements` elements from `first` on.
void fill(KernelBuilder& builder, Place first, int64_t numElements,
          mlir::Value value);

/// An element of a tensor of `elementType`; i1 lies in memory as i8.
mlir::Value loadElement(KernelBuilder& builder, Place place,
                        mlir::Type elementType);
void storeElement(KernelBuilder& builder, mlir::Value value, Place place);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_STRIDEDLOOPS_H_
