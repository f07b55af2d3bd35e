#include "passes/differentiate/TakeValues.h"

#include "dialects/nn/DifferentiableOp.h"
#include "llvm/ADT/DenseMap.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

/// Whether the op of `value` has no operands, and may be copied.
bool isFree(Value value) {
  Operation* op = value.getDefiningOp();
  return op && op->getNumOperands() == 0 && op->getNumRegions() == 0 &&
         op->getNumResults() == 1 && !llvm::isa<CallOp>(op);
}

/// Returns the result of a copy of the op of `value`, at the beginning of
/// `block`.
Value again(Value value, mlir::Block& block) {
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  Operation* copy = builder.clone(*value.getDefiningOp());
  copy->removeAttr(nn::kIdAttrName);
  return copy->getResult(0);
}

}  // namespace

void takeValues(FuncOp function, mlir::Block& first,
                llvm::function_ref<Value(Value)> take) {
  llvm::DenseMap<Value, Value> replacements;
  function.walk([&](Operation* op) {
    for (mlir::OpOperand& operand : op->getOpOperands()) {
      Value value = operand.get();
      if (value.getParentBlock() != &first) continue;
      Value& replacement = replacements[value];
      if (!replacement)
        replacement = isFree(value) ? again(value, function.getBody().front())
                                    : take(value);
      operand.set(replacement);
    }
  });
}

}  // namespace sbp
