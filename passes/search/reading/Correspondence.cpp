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
      if (auto id = op.getAttrOfType<mlir::IntegerAttr>(nn::kIdAttrName))
        numbered_[function].try_emplace(id.getInt(), &op);
      if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
        callees_[call] = nn::calleeOf(call, symbols);
      if (auto repeat = llvm::dyn_cast<nn::RepeatOp>(op))
        repeats_[calleeOf(repeat)] = repeat;
    }
  // Calls in a function and its backward function are marked by the same
  // numbers as calls in one function.
  for (auto [function, times] : functions_) {
    for (auto call : bodyOf(function).getOps<CallOp>())
      if (auto id = call->getAttrOfType<mlir::IntegerAttr>(nn::kIdAttrName))
        if (Operation* first = numbered(function, id); first && first != call)
          again_[first] = call;
    for (auto call : bodyOf(function).getOps<CallOp>())
      if (auto first = llvm::dyn_cast_if_present<CallOp>(adjointTarget(call))) {
        Calls calls = {first, again_.lookup(first), call};
        for (CallOp each : {call, calls.again, first})
          if (each) calls_.try_emplace(calleeOf(each), calls);
      }
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

const Correspondence::Calls* Correspondence::callsOfBackward(
    FuncOp function) const {
  auto calls = calls_.find(function);
  return calls != calls_.end() && calleeOf(calls->second.backward) == function
             ? &calls->second
             : nullptr;
}

CallOp Correspondence::savingCallOf(FuncOp function) const {
  const Calls calls = calls_.lookup(function);
  for (CallOp call : {calls.forward, calls.again})
    if (call && calleeOf(call) == function) return call;
  return {};
}

Operation* Correspondence::numbered(FuncOp function,
                                    mlir::IntegerAttr id) const {
  auto in = [&](FuncOp where) -> Operation* {
    auto ops = numbered_.find(where);
    return ops == numbered_.end() ? nullptr : ops->second.lookup(id.getInt());
  };
  const Calls* calls = callsOfBackward(function);
  if (!calls) return in(function);
  Operation* again = calls->again ? in(calleeOf(calls->again)) : nullptr;
  return again ? again : in(calleeOf(calls->forward));
}

Operation* Correspondence::adjointTarget(Operation* op) const {
  auto id = op->getAttrOfType<mlir::IntegerAttr>(nn::kAdjointOfAttrName);
  return id ? numbered(functionOf(op), id) : nullptr;
}

Value Correspondence::originalOf(Value value) const {
  Operation* op = value.getDefiningOp();
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  FuncOp function = op ? functionOf(op)
                       : llvm::cast<FuncOp>(argument.getOwner()->getParentOp());
  CallOp again = savingCallOf(function);
  const Calls calls = calls_.lookup(function);
  if (!again || again != calls.again) return value;
  if (argument) {
    Value given = primalOf(again.getOperand(argument.getArgNumber()));
    Value original = given ? inForward(calls, given) : Value();
    return original ? original : value;
  }
  auto id = op->getAttrOfType<mlir::IntegerAttr>(nn::kIdAttrName);
  Operation* original = id ? numbered(calleeOf(calls.forward), id) : nullptr;
  return original ? original->getResult(
                        llvm::cast<mlir::OpResult>(value).getResultNumber())
                  : value;
}

Value Correspondence::inForward(const Calls& calls, Value given) const {
  FuncOp forward = calleeOf(calls.forward);
  CallOp call = calls.forward;
  for (auto [index, operand] : llvm::enumerate(call.getOperands()))
    if (isSame(operand, given)) return forward.getArgument(index);
  for (auto [index, result] : llvm::enumerate(call.getResults()))
    if (isSame(result, given))
      return bodyOf(forward).getTerminator()->getOperand(index);
  return {};
}

Value Correspondence::primalOf(Value value) const {
  if (Operation* op = value.getDefiningOp()) {
    bool isGradient =
        op->hasAttr(nn::kAdjointOfAttrName) ||
        (op->getNumOperands() > 0 && !op->hasAttr(nn::kIdAttrName) &&
         callsOfBackward(functionOf(op)));
    return isGradient ? Value() : value;
  }
  auto argument = llvm::cast<mlir::BlockArgument>(value);
  auto function = llvm::cast<FuncOp>(argument.getOwner()->getParentOp());
  const Calls* calls = callsOfBackward(function);
  if (!calls) return value;
  unsigned number = argument.getArgNumber();
  if (function.getArgAttr(number, nn::kGradientOfAttrName)) return {};

  CallOp backward = calls->backward, again = calls->again;
  Value given = primalOf(backward.getOperand(number));
  if (!given) return {};
  if (again) {
    FuncOp function = calleeOf(again);
    for (auto [index, operand] : llvm::enumerate(again.getOperands()))
      if (primalOf(operand) == given) return function.getArgument(index);
    for (auto [index, result] : llvm::enumerate(again.getResults()))
      if (result == given)
        return bodyOf(function).getTerminator()->getOperand(index);
  }
  return inForward(*calls, given);
}

Value Correspondence::primalOfGradient(mlir::BlockArgument argument) const {
  auto function = llvm::cast<FuncOp>(argument.getOwner()->getParentOp());
  const Calls* calls = callsOfBackward(function);
  if (!calls) return {};
  auto result = function.getArgAttrOfType<mlir::IntegerAttr>(
      argument.getArgNumber(), nn::kGradientOfAttrName);
  if (!result) return {};
  FuncOp forward = calleeOf(calls->forward);
  return bodyOf(forward).getTerminator()->getOperand(result.getInt());
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
  const Calls* calls = callsOfBackward(function);
  if (!calls || sum->hasAttr(nn::kAdjointOfAttrName) ||
      sum->getNumOperands() == 0)
    return {};
  FuncOp forward = calleeOf(calls->forward);
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
  CallOp call = savingCallOf(function);
  Value given =
      call ? primalOf(call.getOperand(argument.getArgNumber())) : Value();
  return given && isParameter(given);
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
  CallOp saving = savingCallOf(function);
  if (!saving) return nullptr;
  const Calls calls = calls_.lookup(function);
  for (mlir::OpOperand& use : saving.getResult(index).getUses()) {
    auto call = llvm::dyn_cast<CallOp>(use.getOwner());
    if (!call || (call != calls.again && adjointTarget(call) != calls.forward))
      return nullptr;
  }
  mlir::OpOperand* use = firstUse(saving.getResult(index));
  if (!use) return nullptr;
  auto call = llvm::cast<CallOp>(use->getOwner());
  return firstUse(calleeOf(call).getArgument(use->getOperandNumber()));
}

}  // namespace sbp::search
