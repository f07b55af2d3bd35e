#include "codegen/fuse/TensorLives.h"

#include <algorithm>

#include "dialects/nn/Nn.h"

namespace sbp {

using mlir::func::ReturnOp;

namespace {

/// Returns the position of the last use of `value` or of a reshape of it.
int64_t lastUseOf(Value value, TensorLives::PositionOf positionOf) {
  int64_t last = -1;
  for (Operation* user : value.getUsers()) {
    if (llvm::isa<ReturnOp, nn::SetOp>(user)) return TensorLives::kAlways;
    last = std::max(last, llvm::isa<nn::ReshapeOp>(user)
                              ? lastUseOf(user->getResult(0), positionOf)
                              : positionOf(user));
  }
  return last;
}

}  // namespace

Value TensorLives::inMemory(Value value) {
  while (auto reshape = value.getDefiningOp<nn::ReshapeOp>())
    value = reshape.getInput();
  return value;
}

int64_t TensorLives::lastUse(Value value, PositionOf positionOf) const {
  Value tensor = inMemory(value);
  if (llvm::isa_and_present<nn::GetOp, nn::RepetitionOp>(
          tensor.getDefiningOp()))
    return kAlways;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(tensor)) {
    const ArgumentLife life = arguments_.of(argument);
    if (life == ArgumentLife::ToEnd ||
        (life == ArgumentLife::Either && eitherStays_))
      return kAlways;
  }
  return lastUseOf(tensor, positionOf);
}

}  // namespace sbp
