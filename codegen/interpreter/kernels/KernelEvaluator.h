// Evaluates ops by their CPU kernels, which are compiled and run in this
// process.
//
// The table of evaluators (Evaluators.h) has no rows for ops of plug-ins. Such
// an op can be interpreted if it has a kernel for CPUs:
//
//   KernelEvaluator kernels(target);
//   evaluators.addForOthers([&](Operation* op, ArrayRef<Tensor> operands) {
//     return kernels.evaluate(op, operands);
//   });

#ifndef CODEGEN_INTERPRETER_KERNELS_KERNELEVALUATOR_H_
#define CODEGEN_INTERPRETER_KERNELS_KERNELEVALUATOR_H_

#include <cstdint>
#include <memory>
#include <mutex>

#include "codegen/cpu/CpuKernelTarget.h"
#include "codegen/cpu/LoadedKernels.h"
#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Tensor.h"
#include "llvm/ADT/DenseMap.h"

namespace sbp::interpreter {

/// Compiles kernels when they are first needed, and keeps them. Several threads
/// may use an evaluator at the same time.
class KernelEvaluator {
 public:
  /// The buffers that a kernel works on.
  struct Memory {
    /// For each result the number of the operand whose buffer it shares, or
    /// KernelProvider::kOwnBuffer; empty: no result shares a buffer.
    SmallVector<int64_t> inPlace;
    /// Value of each byte of the buffers of results and of scratch memory
    /// before the kernel runs. A float of bytes 0xff is NaN.
    unsigned char fill = 0xff;
  };

  /// Evaluates by kernels for `cpu`, which must be able to run in this process.
  explicit KernelEvaluator(cpu::Target cpu) : target_(std::move(cpu)) {}

  /// Whether `op` has a kernel for CPUs that takes its types. If not, emits a
  /// diagnostic at the op.
  bool takes(Operation* op) const { return succeeded(target_.needsOf(op)); }

  /// Returns the pairs (operand, result) of `op` that may share a buffer. `op`
  /// must have a kernel for CPUs.
  SmallVector<std::pair<int64_t, int64_t>, 2> inPlacePairs(
      Operation* op) const {
    return target_.lookUp(op)->inPlace;
  }

  /// Returns the results of `op`, whose operands have the values `operands`.
  /// Fails after a diagnostic at the op if it has no kernel, if the kernel
  /// cannot be compiled, or if it writes before or after a buffer.
  FailureOr<Results> evaluate(Operation* op, ArrayRef<Tensor> operands,
                              const Memory& memory);
  FailureOr<Results> evaluate(Operation* op, ArrayRef<Tensor> operands) {
    return evaluate(op, operands, Memory());
  }

 private:
  /// A kernel that can be called.
  struct Compiled {
    std::unique_ptr<cpu::LoadedKernels> library;
    std::optional<cpu::LoadedKernels::Kernel> kernel;
    int64_t scratchBytes = 0;
  };

  /// Returns the kernel of `op` for Memory::inPlace `inPlace`, which is
  /// compiled at the first call. Returns null after a diagnostic if that fails.
  const Compiled* compiled(Operation* op, ArrayRef<int64_t> inPlace);

  cpu::CpuKernelTarget target_;
  std::mutex mutex_;  // of `kernels_`
  /// Kernels by kernelKey() of the op and Memory::inPlace.
  llvm::DenseMap<Attribute, std::unique_ptr<Compiled>> kernels_;
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_KERNELS_KERNELEVALUATOR_H_
