#include "passes/boxing/UnreducedGradients.h"

#include "dialects/nn/Calls.h"
#include "dialects/nn/ReducedIn.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {

UnreducedGradients::UnreducedGradients(ModuleOp module) : symbols_(module) {
  SmallVector<Value> gradients;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (function.isExternal()) continue;
    for (Operation& op : function.getBody().front()) {
      if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
        callsOf_[nn::calleeOf(call, symbols_)].push_back(call);
      if (nn::isReducedAfter(&op)) gradients.push_back(op.getOperand(0));
    }
  }
  llvm::for_each(gradients, [&](Value gradient) { consider(gradient); });
}

bool UnreducedGradients::keepsTerms(mlir::OpOperand& use) const {
  Operation* user = use.getOwner();
  if (nn::isReducedAfter(user)) return true;
  if (nn::passesGradient(use)) return unreduced_.contains(user->getResult(0));
  if (!llvm::isa<mlir::func::ReturnOp>(user)) return false;
  auto calls = callsOf_.find(user->getParentOp());
  return calls != callsOf_.end() &&
         llvm::all_of(calls->second, [&](Operation* call) {
           return unreduced_.contains(call->getResult(use.getOperandNumber()));
         });
}

void UnreducedGradients::consider(Value tensor) {
  if (unreduced_.contains(tensor) ||
      !llvm::all_of(tensor.getUses(),
                    [&](mlir::OpOperand& use) { return keepsTerms(use); }))
    return;
  auto result = llvm::dyn_cast<mlir::OpResult>(tensor);
  if (!result) return;
  unreduced_.insert(tensor);
  Operation* maker = result.getOwner();
  if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(maker)) {
    mlir::func::FuncOp callee = nn::calleeOf(call, symbols_);
    return consider(callee.getBody().front().getTerminator()->getOperand(
        result.getResultNumber()));
  }
  for (mlir::OpOperand& operand : maker->getOpOperands())
    if (nn::passesGradient(operand)) consider(operand.get());
}

}  // namespace sbp
