// Runs kernels on a GPU and compares their results with recorded ones.

#ifndef RUNTIME_CUDA_CHECK_RUNTRIALS_H_
#define RUNTIME_CUDA_CHECK_RUNTRIALS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/cuda/Gpu.h"
#include "runtime/cuda/check/KernelTrials.h"

namespace sbp::cuda {

/// The result of a trial.
struct TrialResult {
  std::string kernel;
  std::string fault;      // empty if the results are right
  double difference = 0;  // largest one, over max(1, |recorded element|)
};

/// Runs each of `trials` on `gpu`, which loads their code. Bytes around buffers
/// are guarded. Integers must be equal to the recorded ones; elements of type
/// f32 may differ by 1e-4, and of bf16 by 2e-2, over max(1, |recorded|). Fails
/// if the code cannot be loaded, or a kernel stops the GPU.
absl::StatusOr<std::vector<TrialResult>> runTrials(Gpu& gpu,
                                                   const KernelTrials& trials);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_CHECK_RUNTRIALS_H_
