// A thread's number as the indices of a nest of loops.

#ifndef CODEGEN_CUDA_INDICES_H_
#define CODEGEN_CUDA_INDICES_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// The indices, outermost loop first, of iteration `number` of loops of these
/// extents, of which the innermost runs fastest.
llvm::SmallVector<mlir::Value> indicesOf(KernelBuilder& builder,
                                         mlir::Value number,
                                         llvm::ArrayRef<int64_t> extents);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_INDICES_H_
