#include "passes/search/reading/Sites.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"

namespace sbp::search {

using mlir::func::FuncOp;
using mlir::func::ReturnOp;

Slot Sites::operandOf(Operation* op, int64_t number) const {
  Slot slot = ops.lookup(op);
  slot.index += number;
  return slot;
}

Slot Sites::resultOf(Operation* op, int64_t number) const {
  return operandOf(op, op->getNumOperands() + number);
}

Touch Sites::used(mlir::OpOperand& use) const {
  Operation* user = use.getOwner();
  int64_t number = use.getOperandNumber();
  if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(user))
    return made(correspondence.calleeOf(call).getArgument(number));
  if (auto pin = llvm::dyn_cast<PinOp>(user)) return {pins.lookup(pin)};
  if (auto set = llvm::dyn_cast<nn::SetOp>(user))
    return {parameters.lookup(set.getNameAttr().getAttr())};
  if (llvm::isa<ReturnOp>(user))
    return returned(user->getParentOfType<FuncOp>(), number);
  return {operandOf(user, number)};
}

/// A value that is returned only for the backward function has the placement
/// that its first use there wants. A value that is carried to the next call has
/// the placement of the argument.
Touch Sites::returned(FuncOp function, int64_t number) const {
  if (mlir::BlockArgument carried = correspondence.carriedAs(function, number))
    return made(carried);
  if (mlir::OpOperand* use = correspondence.firstUseOfSaved(function, number))
    return used(*use);
  return made(function.getBody().front().getTerminator()->getOperand(number));
}

Touch Sites::made(Value value) const {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    auto known = arguments.find(argument);
    if (known != arguments.end()) return {known->second};
    if (mlir::OpOperand* use = correspondence.firstUseOfCarried(argument))
      return used(*use);
    if (Value primal = correspondence.primalOfGradient(argument))
      return {made(primal).slot, /*isGradient=*/true};
    Value primal = correspondence.primalOf(argument);
    mlir::OpOperand* use = Correspondence::firstUse(argument);
    if (llvm::isa<mlir::BlockArgument>(primal) || !use) return made(primal);
    return used(*use);
  }
  Operation* op = value.getDefiningOp();
  int64_t number = llvm::cast<mlir::OpResult>(value).getResultNumber();
  if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
    return returned(correspondence.calleeOf(call), number);
  if (auto pin = llvm::dyn_cast<PinOp>(op)) return {pins.lookup(pin)};
  if (auto get = llvm::dyn_cast<nn::GetOp>(op))
    return {parameters.lookup(get.getNameAttr().getAttr())};
  return {resultOf(op, number)};
}

}  // namespace sbp::search
