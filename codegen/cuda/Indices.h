// Index arithmetic: a linear index as the indices of a nest of loops, and
// checks against the edge of a tensor.

#ifndef CODEGEN_CUDA_INDICES_H_
#define CODEGEN_CUDA_INDICES_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// Returns the indices, outermost loop first, of iteration `number` of a nest
/// of loops of `extents`. The innermost index changes fastest.
llvm::SmallVector<mlir::Value> indicesOf(KernelBuilder& builder,
                                         mlir::Value number,
                                         llvm::ArrayRef<int64_t> extents);

/// Returns an i1: whether `index` is below `extent`. The index must lie in one
/// of the tiles of size `tile` that cover the extent, so the result is the
/// constant true if `tile` divides `extent`.
mlir::Value isBelow(KernelBuilder& builder, mlir::Value index, int64_t extent,
                    int64_t tile);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_INDICES_H_
