// What threads of a GPU have, combined.

#ifndef CODEGEN_CUDA_REDUCETHREADS_H_
#define CODEGEN_CUDA_REDUCETHREADS_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp::cuda {

/// `value`, an f32 or an i32, of so many threads as a warp or a block has,
/// combined: the same for each of them, in an order that does not depend on
/// when they run. All of them have to come here.
mlir::Value reduceThreads(KernelBuilder& builder,
                          mlir::vector::CombiningKind kind, mlir::Value value,
                          int64_t threads);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_REDUCETHREADS_H_
