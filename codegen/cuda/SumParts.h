// Sums of which several blocks have computed parts.

#ifndef CODEGEN_CUDA_SUMPARTS_H_
#define CODEGEN_CUDA_SUMPARTS_H_

#include <cstdint>

#include "codegen/cuda/ThreadLoops.h"

namespace sbp::cuda {

/// Emits the sum of each column of `parts`, floats [numParts, numSums], by a
/// thread each, in the order of the parts; `store` gets the column's number and
/// the sum.
void sumParts(KernelBuilder& builder, ThreadLoops& threads, Place parts,
              int64_t numParts, int64_t numSums,
              llvm::function_ref<void(mlir::Value, mlir::Value)> store);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_SUMPARTS_H_
