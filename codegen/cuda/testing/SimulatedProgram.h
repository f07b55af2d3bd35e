// Runs the kernels of a whole program for GPUs in the simulator
// (codegen/cuda/testing/simt/Simulator.h): each kernel becomes a function on
// this CPU, which ranks call and which runs the kernel's launches in order.

#ifndef CODEGEN_CUDA_TESTING_SIMULATEDPROGRAM_H_
#define CODEGEN_CUDA_TESTING_SIMULATEDPROGRAM_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "codegen/cuda/Chip.h"
#include "codegen/cuda/DeviceKernels.h"
#include "codegen/cuda/testing/simt/Simulator.h"
#include "dialects/support/LLVM.h"
#include "runtime/Abi.h"
#include "runtime/plan/Plan.h"

namespace llvm::orc {
class LLJIT;
}  // namespace llvm::orc

namespace sbp::cuda {

/// The kernels of a program, as functions that simulate them.
class SimulatedProgram {
 public:
  /// Compiles the kernels of `plan` for `chip`. `kernels` is the provider with
  /// which `plan` was built; its module is lowered in place. Fails with a
  /// diagnostic if the kernels cannot be lowered, translated or loaded.
  static FailureOr<std::unique_ptr<SimulatedProgram>> of(DeviceKernels& kernels,
                                                         const plan::Plan& plan,
                                                         const Chip& chip);
  ~SimulatedProgram();

  /// The functions of the kernels, by the plan's index of the kernel. They
  /// exist as long as this object. Several threads may call them at the same
  /// time; the calls run one at a time.
  const std::vector<SbpKernel>& kernels() const { return functions_; }

  /// The error of the first launch that has failed, or OK. Launches after it do
  /// not run.
  absl::Status status() const;

 private:
  SimulatedProgram();

  static void run(SimulatedProgram* program, int64_t kernel,
                  void* const* buffers);
  LogicalResult makeFunctions(mlir::Location loc);

  std::vector<plan::Kernel> launched_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;  // owns the code of functions_
  std::vector<SbpKernel> functions_;
  mutable std::mutex mutex_;  // guards the members below
  std::unique_ptr<simt::Simulator> simulator_;
  absl::Status status_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_SIMULATEDPROGRAM_H_
