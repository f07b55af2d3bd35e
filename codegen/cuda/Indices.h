// A thread's number as the indices of a nest of loops, and their bounds.

#ifndef CODEGEN_CUDA_INDICES_H_
#define CODEGEN_CUDA_INDICES_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// The indices, outermost loop first, of iteration `number` of loops of these
/// extents, of which the innermost runs fastest.
llvm::SmallVector<mlir::Value> indicesOf(KernelBuilder& builder,
                                         mlir::Value number,
                                         llvm::ArrayRef<int64_t> extents);

/// The i1 whether `index`, of a tile of `tile` that begins at a multiple of
/// that, is below `extent`: constant where tiles fill the extent.
mlir::Value isBelow(KernelBuilder& builder, mlir::Value index, int64_t extent,
                    int64_t tile);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_INDICES_H_
