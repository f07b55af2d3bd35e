// Runs kernels for a GPU in the simulator
// (codegen/cuda/testing/simt/Simulator.h), in several orders of their threads,
// and checks that all orders compute the same bits.

#ifndef CODEGEN_CUDA_TESTING_SIMULATEDKERNELS_H_
#define CODEGEN_CUDA_TESTING_SIMULATEDKERNELS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "codegen/cuda/testing/CompiledOps.h"
#include "codegen/cuda/testing/simt/Simulator.h"
#include "codegen/kernels/testing/RunnableKernels.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace sbp::cuda {

/// Kernels in the simulator. run() fails if the simulator reports an error, or
/// if two orders of threads give different bits.
class SimulatedKernels : public RunnableKernels {
 public:
  /// Loads `kernels`, whose code is `code`. run() runs a kernel once in each of
  /// `orders`. Fails if the simulator cannot load the code.
  static absl::StatusOr<std::unique_ptr<SimulatedKernels>> load(
      const llvm::Module& code, std::vector<OpKernel> kernels,
      llvm::ArrayRef<simt::Order> orders = simt::kOrders);

  int64_t scratchBytes(size_t op) const override {
    return kernels_[op].scratchBytes;
  }
  std::string name(size_t op) const override { return kernels_[op].name; }
  int64_t operandOf(size_t op, size_t result) const override {
    return kernels_[op].inPlace[result];
  }

  std::string run(size_t op, const std::vector<Buffer>& buffers) override;

 private:
  SimulatedKernels(std::unique_ptr<simt::Simulator> simulator,
                   std::vector<OpKernel> kernels,
                   llvm::ArrayRef<simt::Order> orders)
      : simulator_(std::move(simulator)),
        kernels_(std::move(kernels)),
        orders_(orders) {}

  std::unique_ptr<simt::Simulator> simulator_;
  std::vector<OpKernel> kernels_;
  llvm::SmallVector<simt::Order> orders_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_SIMULATEDKERNELS_H_
