// The functions by which GPUs move rows between the arenas of ranks
// (runtime/cuda/RowKernels.h says what they do).

#ifndef CODEGEN_CUDA_ROWKERNELS_H_
#define CODEGEN_CUDA_ROWKERNELS_H_

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// Adds to `kernels` those functions that the collectives and transfers of
/// `plan` call.
void addRowKernels(mlir::gpu::GPUModuleOp kernels, const plan::Plan& plan);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_ROWKERNELS_H_
