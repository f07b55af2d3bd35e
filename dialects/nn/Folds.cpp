#include "dialects/nn/Folds.h"

#include "dialects/sbp/Sbp.h"
#include "mlir/IR/Operation.h"

namespace sbp::nn {

bool isUnmarked(Operation* op) { return op->getDiscardableAttrs().empty(); }

bool mayJoin(Operation* user, Operation* maker) {
  auto isPlaced = [](Type type) { return NdSbpAttr::of(type) != nullptr; };
  return isUnmarked(user) && isUnmarked(maker) &&
         llvm::none_of(user->getResultTypes(), isPlaced);
}

}  // namespace sbp::nn
