#include "passes/search/reading/CertainLives.h"

#include "dialects/nn/Nn.h"
#include "dialects/nn/OptimizerStep.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp::search {

using mlir::CallOpInterface;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

CertainLives::CertainLives(FuncOp entry, const Correspondence& correspondence)
    : entry_(entry), correspondence_(correspondence) {
  for (auto [function, times] : correspondence.functions())
    for (auto call : function.getBody().front().getOps<CallOpInterface>())
      calls_[correspondence.calleeOf(call)].push_back(call);
  findUpdated();
  findNeeded();
}

SmallVector<Value> CertainLives::resultsOf(FuncOp function,
                                           unsigned index) const {
  SmallVector<Value> results;
  for (CallOpInterface call : calls_.lookup(function))
    results.push_back(call->getResult(index));
  return results;
}

void CertainLives::findUpdated() {
  auto isUpdated = [&](Operation* op) {
    return nn::gradientOf(op) || llvm::any_of(op->getOperands(), [&](Value v) {
             return updated_.contains(v);
           });
  };
  size_t before;
  do {
    before = updated_.size();
    for (auto [function, times] : correspondence_.functions())
      for (Operation& op : function.getBody().front()) {
        if (!isUpdated(&op)) continue;
        updated_.insert(op.result_begin(), op.result_end());
        if (auto call = llvm::dyn_cast<CallOpInterface>(op))
          updated_.insert_range(correspondence_.calleeOf(call).getArguments());
        if (llvm::isa<ReturnOp>(op))
          for (unsigned i = 0; i < op.getNumOperands(); ++i)
            if (updated_.contains(op.getOperand(i)))
              for (Value result : resultsOf(function, i))
                updated_.insert(result);
      }
  } while (updated_.size() > before);
}

bool CertainLives::isNeeded(mlir::OpOperand& use) const {
  Operation* user = use.getOwner();
  if (updated_.contains(use.get()) || llvm::isa<nn::SetOp>(user)) return false;
  if (mlir::OpOperand* gradient = nn::gradientOf(user)) return &use == gradient;
  unsigned number = use.getOperandNumber();
  if (auto call = llvm::dyn_cast<CallOpInterface>(user))
    return needed_.contains(correspondence_.calleeOf(call).getArgument(number));
  if (!llvm::isa<ReturnOp>(user)) return isInFront(user);
  auto function = user->getParentOfType<FuncOp>();
  return function == entry_ ||
         llvm::all_of(resultsOf(function, number),
                      [&](Value result) { return needed_.contains(result); });
}

void CertainLives::findNeeded() {
  size_t before;
  do {
    before = needed_.size();
    for (auto [function, times] : correspondence_.functions())
      for (Operation& op : llvm::reverse(function.getBody().front()))
        for (mlir::OpOperand& operand : op.getOpOperands())
          if (isNeeded(operand)) needed_.insert(operand.get());
  } while (needed_.size() > before);
}

bool CertainLives::isInFront(Operation* op) const {
  return llvm::any_of(op->getResults(), [&](Value result) {
    return needed_.contains(result) && !updated_.contains(result);
  });
}

bool CertainLives::mayBeStored(Value value) {
  auto [known, isNew] = mayBeStored_.try_emplace(value, false);
  if (!isNew) return known->second;
  bool isStored = llvm::any_of(value.getUses(), [&](mlir::OpOperand& use) {
    Operation* user = use.getOwner();
    if (llvm::isa<nn::SetOp>(user)) return true;
    if (llvm::isa<PinOp, nn::ReshapeOp>(user))
      return mayBeStored(user->getResult(0));
    if (auto call = llvm::dyn_cast<CallOpInterface>(user))
      return mayBeStored(
          correspondence_.calleeOf(call).getArgument(use.getOperandNumber()));
    if (llvm::isa<ReturnOp>(user))
      return llvm::any_of(
          resultsOf(user->getParentOfType<FuncOp>(), use.getOperandNumber()),
          [&](Value result) { return mayBeStored(result); });
    return false;
  });
  return mayBeStored_[value] = isStored;
}

/// Whether `value` may be in the memory from which the next call reads it.
bool CertainLives::isCarried(Value value) const {
  auto function = llvm::dyn_cast<FuncOp>(value.getParentBlock()->getParentOp());
  return llvm::any_of(value.getUses(), [&](mlir::OpOperand& use) {
    return llvm::isa<ReturnOp>(use.getOwner()) &&
           correspondence_.carriedAs(function, use.getOperandNumber());
  });
}

bool CertainLives::hasOwnMemory(Value value) {
  if (mayBeStored(value) || isCarried(value)) return false;
  if (value.getDefiningOp() && !needed_.contains(value)) return false;
  Operation* maker = value.getDefiningOp();
  if (!maker)
    return value.getParentBlock()->getParentOp() == entry_.getOperation();
  if (llvm::isa<nn::ReshapeOp, nn::GetOp, PinOp>(maker)) return false;
  auto call = llvm::dyn_cast<CallOpInterface>(maker);
  if (!call || llvm::isa<nn::RepeatOp>(maker)) return true;
  Operation* end =
      correspondence_.calleeOf(call).getBody().front().getTerminator();
  unsigned index = llvm::cast<mlir::OpResult>(value).getResultNumber();
  Value returned = end->getOperand(index);
  return returned.getDefiningOp() && hasOwnMemory(returned) &&
         llvm::count(end->getOperands(), returned) == 1;
}

CertainLives::Keeps CertainLives::keeps(mlir::OpOperand& use) const {
  Operation* user = use.getOwner();
  if (llvm::isa<nn::SetOp, PinOp, nn::ReshapeOp>(user)) return Keeps::Not;
  bool isOfOp = !llvm::isa<CallOpInterface, ReturnOp>(user);
  if (isOfOp && !isInFront(user)) return Keeps::Behind;
  if (isOfOp) return Keeps::During;
  if (!isNeeded(use)) return Keeps::Not;
  bool isEnd =
      llvm::isa<ReturnOp>(user) && user->getParentOfType<FuncOp>() == entry_;
  return isEnd ? Keeps::During : Keeps::Before;
}

}  // namespace sbp::search
