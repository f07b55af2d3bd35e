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

}  // namespace

Travel travelOf(Value made) {
  while (isLaidBy(made.getDefiningOp()))
    made = made.getDefiningOp()->getOperand(0);
  Operation* maker = made.getDefiningOp();
  const bool isUpdate = maker && nn::gradientOf(maker);
  const bool canAll = llvm::all_of(made.getUses(), [&](mlir::OpOperand& use) {
    return canWait(use, isUpdate);
  });
  return canAll ? Travel::InBucket : Travel::Alone;
}

}  // namespace sbp
