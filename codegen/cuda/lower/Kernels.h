// The kernels of the nn dialect on GPUs. This folder has one file per family of
// ops that have a kernel of their own for GPUs. The kernels of other ops are
// written once for all targets (codegen/kernels/families).

#ifndef CODEGEN_CUDA_LOWER_KERNELS_H_
#define CODEGEN_CUDA_LOWER_KERNELS_H_

#include "mlir/IR/DialectRegistry.h"

namespace sbp::cuda {

/// Registers an extension that attaches CudaKernelOpInterface or
/// KernelOpInterface to the ops of the nn dialect that have kernels, when the
/// dialect is loaded.
void registerNnKernels(mlir::DialectRegistry& registry);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_KERNELS_H_
