#include "codegen/fuse/ArgumentLives.h"

#include <algorithm>

#include "dialects/nn/Calls.h"
#include "dialects/nn/Nn.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {

using mlir::CallOpInterface;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

/// Whether `value`, or a reshape of it, is used after `op`, which uses it.
bool isUsedAfter(Value value, Operation* op) {
  return llvm::any_of(value.getUsers(), [&](Operation* user) {
    if (llvm::isa<ReturnOp, nn::SetOp>(user)) return true;
    if (llvm::isa<nn::ReshapeOp>(user))
      return isUsedAfter(user->getResult(0), op);
    return op->isBeforeInBlock(user);
  });
}

}  // namespace

ArgumentLives::ArgumentLives(rank::ProgramOp program) : symbols_(program) {
  for (auto function : program.getBody().getOps<FuncOp>()) {
    sortAfterCallees(function);
    if (function.isPublic())
      for (mlir::BlockArgument argument : function.getArguments())
        lives_[argument] = ArgumentLife::ToEnd;
  }
  std::reverse(functions_.begin(), functions_.end());
}

void ArgumentLives::sortAfterCallees(FuncOp function) {
  if (!seen_.insert(function).second) return;
  function.walk([&](CallOpInterface call) {
    if (FuncOp callee = nn::calleeOf(call, symbols_)) sortAfterCallees(callee);
  });
  functions_.push_back(function);
}

void ArgumentLives::noteCallsIn(FuncOp function) {
  function.walk([&](CallOpInterface call) {
    FuncOp callee = nn::calleeOf(call, symbols_);
    if (!callee) return;
    // nn.repeat passes the same tensors in every repetition.
    if (llvm::isa<nn::RepeatOp>(*call)) {
      for (mlir::BlockArgument argument : callee.getArguments())
        note(argument, ArgumentLife::ToEnd);
      return;
    }
    for (auto [argument, operand] :
         llvm::zip(callee.getArguments(), call->getOperands()))
      note(argument, afterCall(operand, call));
  });
}

ArgumentLife ArgumentLives::of(mlir::BlockArgument argument) const {
  auto known = lives_.find(argument);
  return known == lives_.end() ? ArgumentLife::Either : known->second;
}

ArgumentLife ArgumentLives::afterCall(Value operand,
                                      CallOpInterface call) const {
  while (auto reshape = operand.getDefiningOp<nn::ReshapeOp>())
    operand = reshape.getInput();
  if (isUsedAfter(operand, call) ||
      llvm::isa_and_present<nn::GetOp, nn::RepetitionOp>(
          operand.getDefiningOp()))
    return ArgumentLife::ToEnd;
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(operand);
  return argument ? of(argument) : ArgumentLife::ToLastUse;
}

void ArgumentLives::note(mlir::BlockArgument argument, ArgumentLife life) {
  auto [known, isNew] = lives_.try_emplace(argument, life);
  if (!isNew && known->second != life) known->second = ArgumentLife::Either;
}

}  // namespace sbp
