// Access to the GPU function whose code is being emitted.

#ifndef CODEGEN_CUDA_KERNELFUNCTION_H_
#define CODEGEN_CUDA_KERNELFUNCTION_H_

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

/// Returns the function that `builder` inserts into.
mlir::gpu::GPUFuncOp kernelFunction(KernelBuilder& builder);

/// Limits the registers of the function that `builder` inserts into, so that a
/// multiprocessor has room for `residentThreads` threads of the function at
/// once. `residentThreads` is a multiple of the threads of a block, up to
/// 2,048.
void limitRegisters(KernelBuilder& builder, int32_t residentThreads);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_KERNELFUNCTION_H_
