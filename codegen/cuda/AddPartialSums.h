// Adds up partial sums that several blocks have computed in an earlier launch.

#ifndef CODEGEN_CUDA_ADDPARTIALSUMS_H_
#define CODEGEN_CUDA_ADDPARTIALSUMS_H_

#include <cstdint>

#include "codegen/cuda/ThreadLoops.h"

namespace sbp::cuda {

/// Emits the sums of the columns of `parts`, a matrix of floats [numParts,
/// numSums]. A thread computes a column, in the order of the parts. `store`
/// gets the index and the sum of a column, and emits the store of the sum.
void addPartialSums(KernelBuilder& builder, ThreadLoops& threads,
                    ElementRef parts, int64_t numParts, int64_t numSums,
                    llvm::function_ref<void(mlir::Value, mlir::Value)> store);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_ADDPARTIALSUMS_H_
