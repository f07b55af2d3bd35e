// What threads of a GPU have, combined.

#ifndef CODEGEN_CUDA_REDUCETHREADS_H_
#define CODEGEN_CUDA_REDUCETHREADS_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

/// `value`, an f32 or an i32, of so many neighbouring threads, a power of two
/// up to a warp's or a block's, combined: the same for each of them, in an
/// order that does not depend on when they run. All threads of the warp, or of
/// the block, have to come here.
mlir::Value reduceThreads(KernelBuilder& builder,
                          mlir::vector::CombiningKind kind, mlir::Value value,
                          int64_t threads);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_REDUCETHREADS_H_
