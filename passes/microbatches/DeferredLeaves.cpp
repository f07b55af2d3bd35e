#include "passes/microbatches/DeferredLeaves.h"

#include <iterator>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Operation.h"

namespace sbp {

DeferredValue DeferredLeaves::sumOf(Value term) {
  auto* known = llvm::find(terms_, term);
  if (known == terms_.end()) {
    terms_.push_back(term);
    known = std::prev(terms_.end());
  }
  return DeferredValue::term(known - terms_.begin());
}

DeferredValue DeferredLeaves::whole(Value value) {
  auto result = llvm::dyn_cast<mlir::OpResult>(value);
  if (!result)
    return DeferredValue::argument(
        llvm::cast<mlir::BlockArgument>(value).getArgNumber());
  Operation* op = result.getOwner();
  if (!ops_.contains(op)) {
    auto deferred = std::make_shared<DeferredOp>();
    deferred->op = op;
    for (Value operand : op->getOperands())
      deferred->operands.push_back(whole(operand));
    ops_[op] = deferred;
  }
  return {DeferredValue::Kind::Op, result.getResultNumber(), ops_[op]};
}

}  // namespace sbp
