// The launch that adds up the squares of a gradient, for the norm of all
// gradients (plan::Gradient::squares).

#ifndef CODEGEN_CUDA_SUMOFSQUARES_H_
#define CODEGEN_CUDA_SUMOFSQUARES_H_

#include <cstdint>

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// Returns the number of blocks that add up the squares of `numElements`
/// elements.
int64_t blocksOfSquares(int64_t numElements);

/// Emits the sum of the squares of `numElements` floats from `elements` on, in
/// f64: each block stores the sum of its elements to `sums`, at the index of
/// the block. All sums are finite if and only if all elements are. The order of
/// additions is fixed, so that results are the same in each run.
void sumSquares(KernelBuilder& builder, ElementRef elements,
                int64_t numElements, ElementRef sums);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_SUMOFSQUARES_H_
