#include "codegen/driver/FusedTimes.h"

#include <vector>

#include "codegen/driver/LocalForm.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Location.h"
#include "passes/cost/LocalCost.h"

namespace sbp {
namespace {

/// Returns all ops in `module`, in the order of its text.
std::vector<Operation*> opsIn(ModuleOp module) {
  std::vector<Operation*> ops;
  module.walk([&](Operation* op) { ops.push_back(op); });
  return ops;
}

/// Returns a copy of `module` in which the location of each op names the
/// original.
mlir::OwningOpRef<ModuleOp> traceableCopy(ModuleOp module) {
  mlir::OwningOpRef<ModuleOp> copy = module.clone();
  for (auto [original, op] : llvm::zip_equal(opsIn(module), opsIn(*copy)))
    op->setLoc(mlir::OpaqueLoc::get(original, op->getLoc()));
  return copy;
}

/// Returns the op that `local` was made for; null if it is unknown.
Operation* originOf(Operation* local) {
  auto origin = local->getLoc()->findInstanceOf<mlir::OpaqueLoc>();
  return origin
             ? mlir::OpaqueLoc::getUnderlyingLocationOrNull<Operation*>(origin)
             : nullptr;
}

/// Adds up the times of the ops of one program.
class Times {
 public:
  explicit Times(const Device& device) : device_(device) {}

  void add(Operation* op) {
    if (auto fused = llvm::dyn_cast<rank::FusedOp>(op)) return addFused(fused);
    const double seconds = computingSeconds(op, device_);
    add(op, seconds, seconds);
  }

  /// Sets the shares of the ops that are not in `known`, and adds them to it.
  void setShares(KernelShares& shares,
                 llvm::DenseSet<Operation*>& known) const {
    for (auto [origin, times] : times_)
      if (known.insert(origin).second && times.alone > 0)
        shares.set(origin, times.together / times.alone);
  }

 private:
  struct OpTimes {
    double alone = 0, together = 0;  // seconds
  };

  void add(Operation* op, double alone, double together) {
    Operation* origin = originOf(op);
    if (!origin) return;
    OpTimes& times = times_[origin];
    times.alone += alone;
    times.together += together;
  }

  /// Divides the time of the kernel among its ops in proportion to the times
  /// that they take alone. A constant is a number in the kernel and takes no
  /// time.
  void addFused(rank::FusedOp fused) {
    double alone = 0;
    auto ops = fused.getBody().front().without_terminator();
    auto isConstant = [](Operation& op) { return op.getNumOperands() == 0; };
    for (Operation& op : ops)
      if (!isConstant(op)) alone += computingSeconds(&op, device_);
    const double together = computingSeconds(fused, device_);
    for (Operation& op : ops) {
      const double own = computingSeconds(&op, device_);
      add(&op, own, isConstant(op) || alone == 0 ? 0 : own * together / alone);
    }
  }

  const Device& device_;
  llvm::DenseMap<Operation*, OpTimes> times_;  // by origin
};

}  // namespace

KernelShares kernelSharesIn(ModuleOp boxed, const Device& device) {
  KernelShares shares;
  mlir::OwningOpRef<ModuleOp> copy = traceableCopy(boxed);
  mlir::OwningOpRef<ModuleOp> local = localFormOf(*copy);
  if (!local) return shares;
  llvm::DenseSet<Operation*> known;
  for (auto program : local->getOps<rank::ProgramOp>()) {
    Times times(device);
    for (auto function : program.getBody().getOps<mlir::func::FuncOp>())
      for (Operation& op : function.getBody().getOps()) times.add(&op);
    times.setShares(shares, known);
  }
  return shares;
}

}  // namespace sbp
