#include "passes/differentiate/Activity.h"

#include "mlir/IR/TypeUtilities.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

bool isFloat(Value value) {
  return llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value));
}

/// Whether `op`, or an op inside its regions, uses a value of `active`.
bool usesAny(Operation* op, const llvm::DenseSet<Value>& active) {
  return op
      ->walk([&](Operation* nested) {
        bool uses = llvm::any_of(nested->getOperands(), [&](Value operand) {
          return active.contains(operand);
        });
        return uses ? mlir::WalkResult::interrupt()
                    : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

}  // namespace

bool Activity::isTrainable(nn::ParameterOp parameter) {
  return !parameter.getState() && !parameter.getFrozen() &&
         llvm::isa<mlir::FloatType>(
             mlir::getElementTypeOrSelf(parameter.getType()));
}

llvm::DenseSet<Value> Activity::valuesOf(
    FuncOp function, const std::vector<bool>& activeArguments,
    Value alsoActive) {
  llvm::DenseSet<Value> active;
  auto activate = [&](Value value, bool isActive) {
    if (isActive && isFloat(value)) active.insert(value);
  };
  for (auto [argument, isActive] :
       llvm::zip(function.getArguments(), activeArguments))
    activate(argument, isActive);

  for (Operation& op : function.getBody().front()) {
    if (auto get = llvm::dyn_cast<nn::GetOp>(op)) {
      auto parameter = symbols_.lookup<nn::ParameterOp>(get.getName());
      activate(get, isTrainable(parameter));
      continue;
    }
    if (auto call = llvm::dyn_cast<CallOp>(op)) {
      auto callee = symbols_.lookup<FuncOp>(call.getCallee());
      const std::vector<bool>& flags =
          activeResults(callee, flagsOf(call.getOperands(), active));
      for (auto [result, isActive] : llvm::zip(call.getResults(), flags))
        activate(result, isActive);
      continue;
    }
    bool isActive = usesAny(&op, active);
    for (Value result : op.getResults())
      activate(result, isActive || result == alsoActive);
  }
  return active;
}

const std::vector<bool>& Activity::activeResults(
    FuncOp function, const std::vector<bool>& activeArguments) {
  auto key = std::pair(function.getOperation(), activeArguments);
  auto known = results_.find(key);
  if (known != results_.end()) return known->second;
  llvm::DenseSet<Value> active = valuesOf(function, activeArguments);
  Operation* end = function.getBody().front().getTerminator();
  return results_[key] = flagsOf(end->getOperands(), active);
}

std::vector<bool> flagsOf(ValueRange values,
                          const llvm::DenseSet<Value>& active) {
  std::vector<bool> flags;
  for (Value value : values) flags.push_back(active.contains(value));
  return flags;
}

}  // namespace sbp
