// Memory that the threads of a block share.

#ifndef CODEGEN_CUDA_SHAREDMEMORY_H_
#define CODEGEN_CUDA_SHAREDMEMORY_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// `numElements` elements of `element` of the kernel that `builder` is in,
/// aligned for every access.
Place addShared(KernelBuilder& builder, mlir::Type element,
                int64_t numElements);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_SHAREDMEMORY_H_
