// The kernels of a whole program for GPUs, as functions that its ranks call on
// this CPU: each runs the launches of a kernel one behind the other
// (codegen/cuda/simt/Machine.h).

#ifndef CODEGEN_CUDA_TESTING_SIMULATEDPROGRAM_H_
#define CODEGEN_CUDA_TESTING_SIMULATEDPROGRAM_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "codegen/cuda/Chip.h"
#include "codegen/cuda/DeviceKernels.h"
#include "codegen/cuda/simt/Machine.h"
#include "dialects/support/LLVM.h"
#include "runtime/Abi.h"
#include "runtime/plan/Plan.h"

namespace llvm::orc {
class LLJIT;
}  // namespace llvm::orc

namespace sbp::cuda {

class SimulatedProgram {
 public:
  /// The kernels of `plan`, which were made by `kernels`, for `chip`. Fails
  /// with a diagnostic.
  static FailureOr<std::unique_ptr<SimulatedProgram>> of(DeviceKernels& kernels,
                                                         const plan::Plan& plan,
                                                         const Chip& chip);
  ~SimulatedProgram();

  /// By kernel of the plan. Threads may call them at the same time.
  const std::vector<SbpKernel>& kernels() const { return functions_; }

  /// What the first launch that went wrong did.
  absl::Status status() const;

 private:
  SimulatedProgram();

  static void run(SimulatedProgram* program, int64_t kernel,
                  void* const* buffers);
  LogicalResult makeFunctions(mlir::Location loc);

  std::vector<plan::Kernel> launched_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;  // of the functions
  std::vector<SbpKernel> functions_;
  mutable std::mutex mutex_;  // of what follows
  std::unique_ptr<simt::Machine> machine_;
  absl::Status status_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_SIMULATEDPROGRAM_H_
