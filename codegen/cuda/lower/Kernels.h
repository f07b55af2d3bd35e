// The kernels of the nn dialect for GPUs: one file for each family of ops.

#ifndef CODEGEN_CUDA_LOWER_KERNELS_H_
#define CODEGEN_CUDA_LOWER_KERNELS_H_

#include "mlir/IR/DialectRegistry.h"

namespace sbp::cuda {

/// Gives the ops of the nn dialect their CudaKernelOpInterface, or the
/// KernelOpInterface where that will do.
void registerNnKernels(mlir::DialectRegistry& registry);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_KERNELS_H_
