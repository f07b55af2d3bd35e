// Reduction of a value over neighbouring threads: shuffles in a warp, shared
// memory between warps.

#ifndef CODEGEN_CUDA_REDUCETHREADS_H_
#define CODEGEN_CUDA_REDUCETHREADS_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

/// Combines `value`, an f32 or an i32, over groups of `threads` neighbouring
/// threads; each thread gets the result of its group. `threads` is a power of
/// two up to the size of a warp, or the size of a block. The order of the
/// operations is fixed, so that results are the same in each run.
///
/// All threads of the warp, or of the block, must execute this code. A
/// reduction over a block has one barrier: between the stores of the warps'
/// results to shared memory and their loads. So a thread must not execute the
/// same reduction twice, for example in a loop.
mlir::Value reduceThreads(KernelBuilder& builder,
                          mlir::vector::CombiningKind kind, mlir::Value value,
                          int64_t threads);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_REDUCETHREADS_H_
