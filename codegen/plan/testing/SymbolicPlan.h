// Executes plans on symbols, to check them.
//
// The result of a kernel is a term over its operands, which is written to all
// bytes of the result's buffer. The terms at the end differ from those of the
// program if two live buffers overlap, a result overwrites an operand that it
// must not, or a parameter is updated too early or not at all.

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

/// A target on which every op has a kernel: that of nn.add needs scratch
/// memory, elementwise ones write in place, and that of nn.momentum runs two
/// ops at once.
class SymbolicTarget : public KernelTarget {
 public:
  std::optional<KernelNeeds> lookUp(Operation* op) const override;

 protected:
  StringRef kind() const override { return "symbolic"; }
  bool takes(mlir::FloatType /*type*/) const override { return true; }
  StringRef taken() const override { return "all floats"; }
};

/// Kernels without code; each is known by the op that asked for it.
class SymbolicKernels : public KernelProvider {
 public:
  const KernelTarget& target() const override { return target_; }
  FailureOr<int64_t> kernelFor(Operation* op, ArrayRef<int64_t> inPlace,
                               int64_t count) override;
  std::vector<std::string> kernelNames() const override;

  // A kernel, as it was asked for.
  struct Use {
    Operation* op;
    SmallVector<int64_t> inPlace;  // by result
    int64_t scratchBytes;
    int64_t count;  // number of such ops that it runs at once
  };
  std::vector<Use> uses;

 private:
  SymbolicTarget target_;
};

/// Expects that the first entry of `plan` does what the program of the one rank
/// in `module` says: its results are the same terms, parameters end with the
/// same terms and change only after plan::EntryProgram::firstUpdate, and inputs
/// still have their values at the end. `plan` was built from `module` with
/// `kernels`.
void expectMeaning(ModuleOp module, const plan::Plan& plan,
                   const SymbolicKernels& kernels);

}  // namespace sbp::testing

#endif  // CODEGEN_PLAN_TESTING_SYMBOLICPLAN_H_
