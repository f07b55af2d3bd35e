// Reduction of a value over neighbouring threads: shuffles in a warp, shared
// memory between warps.

#ifndef CODEGEN_CUDA_REDUCETHREADS_H_
#define CODEGEN_CUDA_REDUCETHREADS_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

/// Combines `value`, an f32 or an i32, over groups of `threads` neighbouring
/// threads; each thread gets the result of its group. `threads` is either a
/// power of two that is at most the size of a warp, or exactly the size of a
/// block. The order of the operations is fixed, so that results are the same in
/// each run.
///
/// All threads of the warp, or of the block, must execute this code. A
/// reduction over a block has one barrier: after the stores of the warps'
/// results to shared memory, and before the loads of these results. No barrier
/// comes after the loads, so a thread must not execute the same reduction
/// twice, for example in a loop: a warp's second store might precede another
/// warp's first load.
mlir::Value reduceThreads(KernelBuilder& builder,
                          mlir::vector::CombiningKind kind, mlir::Value value,
                          int64_t threads);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_REDUCETHREADS_H_
