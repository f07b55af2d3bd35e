// Estimates the memory traffic of a kernel from a sample of its blocks.

#ifndef CODEGEN_CUDA_TESTING_SAMPLEDTRAFFIC_H_
#define CODEGEN_CUDA_TESTING_SAMPLEDTRAFFIC_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "codegen/cuda/testing/BlockTraffic.h"
#include "codegen/cuda/testing/simt/Simulator.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// Returns the traffic of each launch of `kernel`, whose code is in
/// `simulator`. Runs the first block, the last block, and up to 5 of the inner
/// blocks, and extrapolates from these to all inner blocks. Fails if a block
/// fails.
///
/// Tensors of integers, except scalars, hold random numbers below `below`; all
/// others hold zeros. The accesses of a block must not depend on other values.
/// The count of the first launch of the gradient of an embedding is too low:
/// most of its blocks only write zeros, and the sample has few of the other
/// blocks.
absl::StatusOr<std::vector<Traffic>> sampleTraffic(simt::Simulator& simulator,
                                                   const plan::Kernel& kernel,
                                                   int64_t below);

/// Returns the least number of bytes that `kernel` has to move: each operand
/// and each result once. The table of nn.embedding counts as one row per index.
int64_t leastBytes(const plan::Kernel& kernel);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_SAMPLEDTRAFFIC_H_
