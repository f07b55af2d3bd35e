#include "passes/boxing/FunctionBucketing.h"

#include "dialects/nn/Nn.h"
#include "dialects/nn/OptimizerStep.h"
#include "dialects/nn/ReducedIn.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

/// Whether `op` returns its operand unchanged, in another placement.
bool onlyChangesPlacement(Operation* op) {
  return llvm::isa_and_present<CastOp, PinOp, BoxOp>(op);
}

/// Whether `op` only finishes the gradient `operand`: converts its element
/// type, reshapes it, or multiplies it by a scalar.
bool finishesGradient(Operation* op, mlir::OpOperand& operand) {
  if (llvm::isa<nn::CastOp, nn::ReshapeOp>(op)) return true;
  auto product = llvm::dyn_cast<nn::MulOp>(op);
  if (!product) return false;
  Value factor = product->getOperand(1 - operand.getOperandNumber());
  return llvm::cast<RankedTensorType>(factor.getType()).getNumElements() == 1;
}

/// Whether the tensor used by `use` can wait for other tensors: an optimiser
/// step takes it as the gradient, or (if `isUpdate`) an op stores it in a
/// parameter. On the way there, ops may change its placement or finish it as a
/// gradient.
bool canWait(mlir::OpOperand& use, bool isUpdate) {
  Operation* user = use.getOwner();
  if (onlyChangesPlacement(user) || (!isUpdate && finishesGradient(user, use)))
    return !user->use_empty() &&
           llvm::all_of(user->getUses(), [&](mlir::OpOperand& next) {
             return canWait(next, isUpdate);
           });
  return nn::gradientOf(user) == &use ||
         (isUpdate && llvm::isa<nn::SetOp>(user));
}

/// Whether a cast of `made` is reduced rather than `made` itself. Then the
/// result of the cast moves in a bucket, and `made` does not.
bool isBucketedAsCast(Value made) {
  return llvm::any_of(made.getUsers(), nn::isReducedAfter);
}

/// Returns `tensor` in the placement in which it was made.
Value asMade(Value tensor) {
  while (onlyChangesPlacement(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return tensor;
}

bool isUpdate(Value made) {
  Operation* maker = made.getDefiningOp();
  return maker && nn::gradientOf(maker);
}

/// Whether every use of `made` can wait for other tensors.
bool canWait(Value made) {
  return llvm::all_of(made.getUses(), [&](mlir::OpOperand& use) {
    return canWait(use, isUpdate(made));
  });
}

/// Whether `made` is a finished gradient, whose unfinished form can wait and is
/// counted instead.
bool isFinished(Value made) {
  Operation* maker = made.getDefiningOp();
  return maker && !nn::isReducedAfter(maker) &&
         llvm::any_of(maker->getOpOperands(), [&](auto& operand) {
           return finishesGradient(maker, operand) &&
                  !asMade(operand.get()).use_empty() &&
                  canWait(asMade(operand.get()));
         });
}

const void* meshOf(Value made) {
  NdSbpAttr placement = NdSbpAttr::of(made.getType());
  return placement ? placement.getMesh().getAsOpaquePointer() : nullptr;
}

}  // namespace

FunctionBucketing::FunctionBucketing(mlir::func::FuncOp function) {
  auto add = [&](Value made) {
    if (made.use_empty() || isUpdate(made) || isBucketedAsCast(made) ||
        !canWait(made) || isFinished(made))
      return;
    auto type = llvm::cast<RankedTensorType>(made.getType());
    bytes_[meshOf(made)] +=
        static_cast<double>(type.getNumElements()) *
        static_cast<double>(elementBytes(type.getElementType()));
  };
  mlir::Block& body = function.getBody().front();
  llvm::for_each(body.getArguments(), add);
  for (Operation& op : body)
    if (!onlyChangesPlacement(&op)) llvm::for_each(op.getResults(), add);
}

Bucketing FunctionBucketing::of(Value tensor) const {
  const Value made = asMade(tensor);
  auto known = bytes_.find(meshOf(made));
  if (known == bytes_.end() || !canWait(made)) return Bucketing::alone();
  return Bucketing::inBucket(known->second);
}

}  // namespace sbp
