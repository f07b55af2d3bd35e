// What kernels move in a whole run, told from some of their blocks.

#ifndef CODEGEN_CUDA_TESTING_SAMPLEDTRAFFIC_H_
#define CODEGEN_CUDA_TESTING_SAMPLEDTRAFFIC_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "codegen/cuda/simt/Machine.h"
#include "codegen/cuda/testing/BlockTraffic.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// What each launch of `kernel` moves, whose code `machine` has: the first
/// block and the last one, and what those between are on the average, of which
/// some are run. Tensors hold zeros, those of integers that have dimensions
/// random numbers below `below`: what a block moves may depend on no other
/// number. (Of the gradient of an embedding the first launch is counted too
/// low: few blocks of it do all that is to be done but to write zeros.) Fails
/// where a launch does.
absl::StatusOr<std::vector<Traffic>> sampleTraffic(simt::Machine& machine,
                                                   const plan::Kernel& kernel,
                                                   int64_t below);

/// The bytes that a kernel has to move: of each operand once, and of each
/// result. Of a table from which an embedding takes rows, those.
int64_t leastBytes(const plan::Kernel& kernel);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_SAMPLEDTRAFFIC_H_
