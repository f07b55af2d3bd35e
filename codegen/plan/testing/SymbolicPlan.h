// Plans executed on symbols.
//
// A kernel's result is a term over its operands, written over all bytes of its
// buffer. If two buffers that are needed at once overlapped, if a result
// overwrote an operand that it must not, if a parameter were updated too early
// or not at all, the terms at the end would be others than those that the
// program means.

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

/// Bytes of a tensor of `type`.
int64_t bytesOf(Type type);

/// All ops have kernels; some need scratch memory, some write in place, and
/// those of momentum run two at once.
class SymbolicTarget : public KernelTarget {
 public:
  std::optional<KernelNeeds> lookUp(Operation* op) const override;

 protected:
  StringRef kind() const override { return "symbolic"; }
  bool takes(mlir::FloatType /*type*/) const override { return true; }
  StringRef taken() const override { return "all floats"; }
};

/// Kernels that are known by the op that asked for them.
class SymbolicKernels : public KernelProvider {
 public:
  const KernelTarget& target() const override { return target_; }
  FailureOr<int64_t> kernelFor(Operation* op, ArrayRef<int64_t> inPlace,
                               int64_t count) override;
  std::vector<std::string> kernelNames() const override;

  struct Use {
    Operation* op;
    SmallVector<int64_t> inPlace;  // by result
    int64_t scratchBytes;
    int64_t count;  // of ops like it, at once
  };
  std::vector<Use> uses;

 private:
  SymbolicTarget target_;
};

/// Expects that the first entry of `plan`, made of `module` with `kernels`, has
/// the results that the program of the one rank in `module` means, and leaves
/// parameters as that does; that these change in the second part of a run only;
/// and that inputs are still there at the end.
void expectMeaning(ModuleOp module, const plan::Plan& plan,
                   const SymbolicKernels& kernels);

}  // namespace sbp::testing

#endif  // CODEGEN_PLAN_TESTING_SYMBOLICPLAN_H_
