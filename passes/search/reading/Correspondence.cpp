#include "passes/search/reading/Correspondence.h"

#include "dialects/nn/Calls.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/ReducedIn.h"
#include "dialects/sbp/DistributedOp.h"
#include "passes/plan/PinnedSignature.h"

namespace sbp::search {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

FuncOp functionOf(Operation* op) { return op->getParentOfType<FuncOp>(); }

mlir::Block& bodyOf(FuncOp function) { return function.getBody().front(); }

}  // namespace

Correspondence::Correspondence(FuncOp entry, const mlir::SymbolTable& symbols)
    : unreducedGradients_(entry->getParentOfType<ModuleOp>()),
      functions_(callCounts(entry, symbols)) {
  for (auto [function, times] : functions_)
    for (Operation& op : bodyOf(function)) {
      if (auto id = op.getAttrOfType<mlir::IntegerAttr>(nn::kIdAttrName)) {
        auto [known, isNew] = numbered_[function].try_emplace(id.getInt(), &op);
        if (!isNew) again_[known->second] = llvm::dyn_cast<CallOp>(op);
      }
      if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
        callees_[call] = nn::calleeOf(call, symbols);
      if (auto repeat = llvm::dyn_cast<nn::RepeatOp>(op))
        repeats_[calleeOf(repeat)] = repeat;
    }
  // A pair of calls in a function and its backward function is marked by the
  // same number as calls in one function.
  for (auto [function, times] : functions_)
    for (auto call : bodyOf(function).getOps<CallOp>())
      if (auto first = llvm::dyn_cast_if_present<CallOp>(adjointTarget(call))) {
        CallOp again = again_.lookup(first);
        Pair pair = {again ? again : first, call, first};
        pairOf_.try_emplace(calleeOf(call), pair);
        pairOf_.try_emplace(calleeOf(pair.forward), pair);
      }
}

FuncOp Correspondence::calleeOf(mlir::CallOpInterface call) const {
  return callees_.lookup(call);
}

mlir::BlockArgument Correspondence::carriedAs(FuncOp function,
                                              int64_t number) const {
  nn::RepeatOp repeat = repeats_.lookup(function);
  if (!repeat) return {};
  return function.getArgument(repeat.getNumOperands() + number);
}

mlir::OpOperand* Correspondence::firstUseOfCarried(
    mlir::BlockArgument argument) const {
  nn::RepeatOp repeat = repeats_.lookup(argument.getOwner()->getParentOp());
  if (!repeat || argument.getArgNumber() < repeat.getNumOperands())
    return nullptr;
  mlir::OpOperand* use = firstUse(argument);
  return use && llvm::isa<DistributedOpInterface>(use->getOwner()) ? use
                                                                   : nullptr;
}

bool Correspondence::isSumOfGradients(Value value) const {
  auto repeat = value.getDefiningOp<nn::RepeatOp>();
  if (!repeat) return false;
  unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
  mlir::Block& body = calleeOf(repeat).getBody().front();
  auto sum =
      body.getTerminator()->getOperand(number).getDefiningOp<nn::AddOp>();
  return sum && llvm::any_of(sum->getOperands(), [](Value term) {
           Operation* maker = term.getDefiningOp();
           return maker && maker->hasAttr(nn::kAdjointOfAttrName);
         });
}

FuncOp Correspondence::forwardOf(FuncOp function) const {
  auto pair = pairOf_.find(function);
  if (pair == pairOf_.end() || calleeOf(pair->second.backward) != function)
    return nullptr;
  return calleeOf(pair->second.forward);
}

Operation* Correspondence::adjointTarget(Operation* op) const {
  auto id = op->getAttrOfType<mlir::IntegerAttr>(nn::kAdjointOfAttrName);
  if (!id) return nullptr;
  FuncOp function = functionOf(op);
  FuncOp forward = forwardOf(function);
  auto numbered = numbered_.find(forward ? forward : function);
  if (numbered == numbered_.end()) return nullptr;
  return numbered->second.lookup(id.getInt());
}

Value Correspondence::primalOf(Value value) const {
  if (Operation* op = value.getDefiningOp()) {
    bool isGradient = op->hasAttr(nn::kAdjointOfAttrName) ||
                      (op->getNumOperands() > 0 && forwardOf(functionOf(op)));
    return isGradient ? Value() : value;
  }
  auto argument = llvm::cast<mlir::BlockArgument>(value);
  auto function = llvm::cast<FuncOp>(argument.getOwner()->getParentOp());
  FuncOp forward = forwardOf(function);
  if (!forward) return value;
  unsigned number = argument.getArgNumber();
  if (function.getArgAttr(number, nn::kGradientOfAttrName)) return {};

  Pair pair = pairOf_.lookup(function);
  Value given = primalOf(pair.backward.getOperand(number));
  for (auto [index, operand] : llvm::enumerate(pair.forward.getOperands()))
    if (operand == given) return forward.getArgument(index);
  for (auto [index, result] : llvm::enumerate(pair.forward.getResults()))
    if (result == given)
      return bodyOf(forward).getTerminator()->getOperand(index);
  return {};
}

Value Correspondence::primalOfGradient(mlir::BlockArgument argument) const {
  auto function = llvm::cast<FuncOp>(argument.getOwner()->getParentOp());
  FuncOp forward = forwardOf(function);
  if (!forward) return {};
  auto result = function.getArgAttrOfType<mlir::IntegerAttr>(
      argument.getArgNumber(), nn::kGradientOfAttrName);
  if (!result) return {};
  FuncOp first = calleeOf(pairOf_.lookup(function).first);
  return bodyOf(first).getTerminator()->getOperand(result.getInt());
}

bool Correspondence::isOwn(mlir::BlockArgument argument) const {
  Value primal = primalOf(argument);
  return primal == argument || (!primal && !primalOfGradient(argument));
}

bool Correspondence::isFollower(Operation* op) const {
  const bool passesTerms =
      op->getNumResults() == 1 && keepsTerms(op->getResult(0)) &&
      llvm::any_of(op->getOpOperands(), nn::passesGradient);
  if (nn::isReducedAfter(op) || passesTerms || hasPinnedSignature(op))
    return false;
  return op->hasAttr(nn::kAdjointOfAttrName) || argumentOfSum(op);
}

mlir::BlockArgument Correspondence::argumentOfSum(Operation* sum) const {
  FuncOp function = functionOf(sum);
  FuncOp forward = forwardOf(function);
  if (!forward || sum->hasAttr(nn::kAdjointOfAttrName) ||
      sum->getNumOperands() == 0)
    return {};
  // The function returns the last partial sum.
  while (sum->getNumResults() == 1 && sum->hasOneUse()) {
    mlir::OpOperand& use = *sum->getResult(0).getUses().begin();
    if (!llvm::isa<ReturnOp>(use.getOwner())) {
      sum = use.getOwner();
      continue;
    }
    auto argument =
        llvm::dyn_cast_if_present<mlir::IntegerAttr>(function.getResultAttr(
            use.getOperandNumber(), nn::kGradientOfAttrName));
    if (argument) return forward.getArgument(argument.getInt());
    break;
  }
  return {};
}

bool Correspondence::isParameter(Value value) const {
  if (value.getDefiningOp<nn::GetOp>()) return true;
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  if (!argument) return false;
  auto function = llvm::cast<FuncOp>(argument.getOwner()->getParentOp());
  if (nn::RepeatOp repeat = repeats_.lookup(function))
    return argument.getArgNumber() < repeat.getNumOperands() &&
           isParameter(repeat.getOperand(argument.getArgNumber()));
  CallOp forward = pairOf_.lookup(function).forward;
  return forward && calleeOf(forward) == function &&
         isParameter(forward.getOperand(argument.getArgNumber()));
}

mlir::OpOperand* Correspondence::firstUse(Value value) {
  mlir::OpOperand* first = nullptr;
  for (mlir::OpOperand& use : value.getUses())
    if (!first || use.getOwner()->isBeforeInBlock(first->getOwner()) ||
        (use.getOwner() == first->getOwner() &&
         use.getOperandNumber() < first->getOperandNumber()))
      first = &use;
  return first;
}

mlir::OpOperand* Correspondence::firstUseOfSaved(FuncOp function,
                                                 int64_t index) const {
  auto found = pairOf_.find(function);
  if (found == pairOf_.end()) return nullptr;
  Pair pair = found->second;
  if (calleeOf(pair.forward) != function) return nullptr;
  for (mlir::OpOperand& use : pair.forward.getResult(index).getUses()) {
    auto call = llvm::dyn_cast<CallOp>(use.getOwner());
    if (!call || adjointTarget(call) != pair.first) return nullptr;
  }
  mlir::OpOperand* use = firstUse(pair.forward.getResult(index));
  if (!use) return nullptr;
  auto call = llvm::cast<CallOp>(use->getOwner());
  return firstUse(calleeOf(call).getArgument(use->getOperandNumber()));
}

}  // namespace sbp::search
