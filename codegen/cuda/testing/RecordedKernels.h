// Kernels in the simulator whose operands and results are written to a file,
// with which a machine with a GPU runs them again (tools/check-gpu).

#ifndef CODEGEN_CUDA_TESTING_RECORDEDKERNELS_H_
#define CODEGEN_CUDA_TESTING_RECORDEDKERNELS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/cuda/testing/CompiledOps.h"
#include "codegen/kernels/testing/RunnableKernels.h"
#include "mlir/IR/Operation.h"
#include "runtime/cuda/check/KernelTrials.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// Kernels that are run and recorded.
class RecordedKernels : public RunnableKernels {
 public:
  /// Constructs kernels that `kernels` runs; `ops` and `launched` describe
  /// them. `trials` has their code, and the results are added to it.
  RecordedKernels(std::unique_ptr<RunnableKernels> kernels,
                  const std::vector<mlir::Operation*>& ops,
                  std::vector<OpKernel> launched, KernelTrials trials,
                  std::string path);

  /// Writes the file, if kernels were run.
  ~RecordedKernels() override;

  int64_t scratchBytes(size_t op) const override {
    return kernels_->scratchBytes(op);
  }
  std::string name(size_t op) const override { return kernels_->name(op); }
  int64_t operandOf(size_t op, size_t result) const override {
    return kernels_->operandOf(op, result);
  }
  std::string run(size_t op, const std::vector<Buffer>& buffers) override;

 private:
  /// Returns the type of the elements of buffer `buffer` of op `op`; none for
  /// scratch memory.
  std::optional<plan::ElementType> typeOf(size_t op, size_t buffer) const;

  std::unique_ptr<RunnableKernels> kernels_;
  std::vector<std::vector<plan::ElementType>> types_;  // by op and buffer
  std::vector<OpKernel> launched_;
  KernelTrials trials_;
  std::string path_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_RECORDEDKERNELS_H_
