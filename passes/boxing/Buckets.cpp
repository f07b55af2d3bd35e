#include "passes/boxing/Buckets.h"

#include "dialects/nn/Nn.h"
#include "dialects/nn/OptimizerStep.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {
namespace {

/// Whether `op` gives the value that it takes, laid otherwise.
bool isLaidBy(Operation* op) {
  return llvm::isa_and_present<CastOp, PinOp, BoxOp>(op);
}

/// Whether `use` of a tensor, which a step of an optimiser has made if
/// `isUpdate`, or those of what it lays otherwise, can wait for others.
bool canWait(mlir::OpOperand& use, bool isUpdate) {
  Operation* user = use.getOwner();
  if (isLaidBy(user))
    return llvm::all_of(user->getUses(), [&](mlir::OpOperand& next) {
      return canWait(next, isUpdate);
    });
  return nn::gradientOf(user) == &use ||
         (isUpdate && llvm::isa<nn::SetOp>(user));
}

/// `tensor` as it was made.
Value asMade(Value tensor) {
  while (isLaidBy(tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return tensor;
}

bool isUpdate(Value made) {
  Operation* maker = made.getDefiningOp();
  return maker && nn::gradientOf(maker);
}

/// Whether all uses of `made` can wait for others.
bool canWait(Value made) {
  return llvm::all_of(made.getUses(), [&](mlir::OpOperand& use) {
    return canWait(use, isUpdate(made));
  });
}

const void* meshOf(Value made) {
  NdSbpAttr placement = NdSbpAttr::of(made.getType());
  return placement ? placement.getMesh().getAsOpaquePointer() : nullptr;
}

}  // namespace

Travels::Travels(mlir::func::FuncOp function) {
  auto add = [&](Value made) {
    if (made.use_empty() || isUpdate(made) || !canWait(made)) return;
    auto type = llvm::cast<RankedTensorType>(made.getType());
    bytes_[meshOf(made)] +=
        static_cast<double>(type.getNumElements()) *
        static_cast<double>(elementBytes(type.getElementType()));
  };
  mlir::Block& body = function.getBody().front();
  llvm::for_each(body.getArguments(), add);
  for (Operation& op : body)
    if (!isLaidBy(&op)) llvm::for_each(op.getResults(), add);
}

Travel Travels::of(Value tensor) const {
  const Value made = asMade(tensor);
  auto known = bytes_.find(meshOf(made));
  if (known == bytes_.end() || !canWait(made)) return Travel::alone();
  return Travel::amongBytes(known->second);
}

}  // namespace sbp
