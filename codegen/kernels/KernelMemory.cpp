#include "codegen/kernels/KernelMemory.h"

#include <memory>
#include <optional>

#include "dialects/sbp/KernelMemory.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

/// Answers with the needs that a KernelTarget reports.
class MemoryOfTarget : public KernelMemory {
 public:
  MemoryOfTarget(mlir::Dialect* dialect, const KernelTarget& target)
      : KernelMemory(dialect), target_(target) {}

  int64_t workingBytes(Operation* op) const override {
    const std::optional<KernelNeeds> needs = target_.lookUp(op);
    return needs ? needs->scratchBytes : 0;
  }

  bool mayOverwrite(Operation* op, unsigned result) const override {
    const std::optional<KernelNeeds> needs = target_.lookUp(op);
    return !needs || llvm::any_of(needs->inPlace, [&](const auto& pair) {
      return pair.second == static_cast<int64_t>(result);
    });
  }

 private:
  const KernelTarget& target_;
};

}  // namespace

void addKernelMemory(mlir::MLIRContext& context, const KernelTarget& target) {
  auto* dialect = context.getOrLoadDialect<SbpDialect>();
  dialect->addInterface(std::make_unique<MemoryOfTarget>(dialect, target));
}

}  // namespace sbp
