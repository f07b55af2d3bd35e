// Executes plans on symbols, to check them.
//
// The result of a kernel is a term, made of the op and the terms of its
// operands. The term is written to the whole buffer of the result. The terms at
// the end differ from those of the program if two live buffers overlap, a
// result overwrites an operand that it must not, or a parameter is updated too
// early or not at all.

#ifndef CODEGEN_PLAN_TESTING_SYMBOLICPLAN_H_
#define CODEGEN_PLAN_TESTING_SYMBOLICPLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/plan/KernelProvider.h"
#include "codegen/plan/KernelTarget.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "runtime/plan/Plan.h"

namespace sbp::testing {

/// Returns the bytes of a tensor of `type`.
int64_t bytesOf(Type type);

/// A target on which every op has a kernel. The kernel of nn.add needs scratch
/// memory; those of nn.add, nn.relu and nn.momentum may write in place; that of
/// nn.momentum runs up to two ops at once.
class SymbolicTarget : public KernelTarget {
 public:
  std::optional<KernelNeeds> lookUp(Operation* op) const override;

 protected:
  StringRef kind() const override { return "symbolic"; }
  bool takes(mlir::FloatType /*type*/) const override { return true; }
  StringRef taken() const override { return "all floats"; }
};

/// Kernels without code. Each is for one op, `inPlace` and `count`: no two ops
/// share a kernel.
class SymbolicKernels : public KernelProvider {
 public:
  const KernelTarget& target() const override { return target_; }
  FailureOr<int64_t> kernelFor(Operation* op, ArrayRef<int64_t> inPlace,
                               int64_t count) override;
  std::vector<std::string> kernelNames() const override;

  // A kernel: the arguments of kernelFor() that asked for it.
  struct Use {
    Operation* op;
    SmallVector<int64_t> inPlace;  // by result: operand or kOwnBuffer
    int64_t scratchBytes;
    int64_t count;  // number of such ops that it runs at once
  };
  std::vector<Use> uses;

 private:
  SymbolicTarget target_;
};

/// Expects that the first entry of `plan` does what the first rank.program of
/// `module` says. Its results and the final values of parameters must be the
/// same terms. Parameters must change only from the task
/// plan::EntryProgram::firstUpdate on, and inputs must still have their values
/// at the end. `plan` was built from `module` with `kernels`.
void expectMeaning(ModuleOp module, const plan::Plan& plan,
                   const SymbolicKernels& kernels);

}  // namespace sbp::testing

#endif  // CODEGEN_PLAN_TESTING_SYMBOLICPLAN_H_
