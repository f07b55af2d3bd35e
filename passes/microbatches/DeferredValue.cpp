#include "passes/microbatches/DeferredValue.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "mlir/IR/IRMapping.h"

namespace sbp {
namespace {

/// Replaces the leaves of a graph. Nodes that are shared stay shared.
class LeafReplacer {
 public:
  explicit LeafReplacer(
      const std::function<DeferredValue(const DeferredValue&)>& leaf)
      : leaf_(leaf) {}

  DeferredValue replaced(const DeferredValue& value) {
    if (value.kind != DeferredValue::Kind::Op) return leaf_(value);
    if (auto known = replaced_.lookup(value.op.get()))
      return {DeferredValue::Kind::Op, value.index, known};
    auto op = std::make_shared<DeferredOp>();
    op->op = value.op->op;
    for (const DeferredValue& operand : value.op->operands)
      op->operands.push_back(replaced(operand));
    replaced_[value.op.get()] = op;
    return {DeferredValue::Kind::Op, value.index, op};
  }

 private:
  const std::function<DeferredValue(const DeferredValue&)>& leaf_;
  llvm::DenseMap<const DeferredOp*, std::shared_ptr<const DeferredOp>>
      replaced_;
};

/// Builds each op of a graph once.
class DeferredBuilder {
 public:
  DeferredBuilder(OpBuilder& builder, ValueRange sums, ValueRange arguments)
      : builder_(builder), sums_(sums), arguments_(arguments) {}

  Value build(const DeferredValue& value) {
    switch (value.kind) {
      case DeferredValue::Kind::Term:
        return sums_[value.index];
      case DeferredValue::Kind::Argument:
        return arguments_[value.index];
      case DeferredValue::Kind::Op:
        return build(*value.op)->getResult(value.index);
    }
    llvm_unreachable("a deferred value is of an op, a term or an argument");
  }

 private:
  Operation* build(const DeferredOp& deferred) {
    if (Operation* known = built_.lookup(&deferred)) return known;
    mlir::IRMapping mapping;
    for (auto [operand, value] :
         llvm::zip(deferred.op->getOperands(), deferred.operands))
      mapping.map(operand, build(value));
    Operation* op = builder_.clone(*deferred.op, mapping);
    built_[&deferred] = op;
    return op;
  }

  OpBuilder& builder_;
  ValueRange sums_;
  ValueRange arguments_;
  llvm::DenseMap<const DeferredOp*, Operation*> built_;
};

}  // namespace

DeferredValue translateToCaller(
    const DeferredValue& value,
    const std::function<DeferredValue(const DeferredValue&)>& leaf) {
  return LeafReplacer(leaf).replaced(value);
}

mlir::OpOperand* findUseOfTerm(const DeferredValue& value, int64_t index) {
  SmallVector<const DeferredOp*> ops;
  llvm::SmallPtrSet<const DeferredOp*, 8> seen;
  auto visit = [&](const DeferredValue& node) {
    if (node.kind == DeferredValue::Kind::Op &&
        seen.insert(node.op.get()).second)
      ops.push_back(node.op.get());
  };
  visit(value);
  while (!ops.empty()) {
    const DeferredOp* op = ops.pop_back_val();
    for (auto [number, operand] : llvm::enumerate(op->operands)) {
      if (operand.kind == DeferredValue::Kind::Term && operand.index == index)
        return &op->op->getOpOperand(number);
      visit(operand);
    }
  }
  return nullptr;
}

Value buildDeferred(OpBuilder& builder, const DeferredValue& value,
                    ValueRange sums, ValueRange arguments) {
  return DeferredBuilder(builder, sums, arguments).build(value);
}

}  // namespace sbp
