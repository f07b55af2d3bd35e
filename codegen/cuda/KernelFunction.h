// The kernel whose code is being emitted.

#ifndef CODEGEN_CUDA_KERNELFUNCTION_H_
#define CODEGEN_CUDA_KERNELFUNCTION_H_

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

/// The one that `builder` is in.
mlir::gpu::GPUFuncOp kernelFunction(KernelBuilder& builder);

/// Has that kernel take so few registers that a multiprocessor has room for so
/// many of its threads at once, of the 2,048 that it can have.
void keepRoomFor(KernelBuilder& builder, int32_t threads);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_KERNELFUNCTION_H_
