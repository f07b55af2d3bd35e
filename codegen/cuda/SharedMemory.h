// Allocation of shared memory, which all threads of a block can access.

#ifndef CODEGEN_CUDA_SHAREDMEMORY_H_
#define CODEGEN_CUDA_SHAREDMEMORY_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// Adds `numElements` elements of type `element` to the shared memory of the
/// kernel whose code `builder` emits; returns a reference to the first one. The
/// memory is aligned to kBytesOfAccess.
ElementRef addShared(KernelBuilder& builder, mlir::Type element,
                     int64_t numElements);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_SHAREDMEMORY_H_
