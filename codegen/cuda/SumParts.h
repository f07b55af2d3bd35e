// The last launch of kernels in which several blocks compute partial sums.

#ifndef CODEGEN_CUDA_SUMPARTS_H_
#define CODEGEN_CUDA_SUMPARTS_H_

#include <cstdint>

#include "codegen/cuda/ThreadLoops.h"

namespace sbp::cuda {

/// Emits the sums of the columns of `parts`, a matrix of floats [numParts,
/// numSums]. A thread computes a column, in the order of the parts. `store`
/// gets the index of the column and its sum, and emits the store.
void sumParts(KernelBuilder& builder, ThreadLoops& threads, ElementRef parts,
              int64_t numParts, int64_t numSums,
              llvm::function_ref<void(mlir::Value, mlir::Value)> store);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_SUMPARTS_H_
