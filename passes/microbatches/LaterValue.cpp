#include "passes/microbatches/LaterValue.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "mlir/IR/IRMapping.h"

namespace sbp {
namespace {

/// Replaces the leaves of a graph; shared nodes stay shared.
class LeafReplacer {
 public:
  explicit LeafReplacer(
      const std::function<LaterValue(const LaterValue&)>& leaf)
      : leaf_(leaf) {}

  LaterValue replaced(const LaterValue& value) {
    if (value.from != LaterValue::From::Op) return leaf_(value);
    if (auto known = replaced_.lookup(value.op.get()))
      return {LaterValue::From::Op, value.index, known};
    auto op = std::make_shared<LaterOp>();
    op->op = value.op->op;
    for (const LaterValue& operand : value.op->operands)
      op->operands.push_back(replaced(operand));
    replaced_[value.op.get()] = op;
    return {LaterValue::From::Op, value.index, op};
  }

 private:
  const std::function<LaterValue(const LaterValue&)>& leaf_;
  llvm::DenseMap<const LaterOp*, std::shared_ptr<const LaterOp>> replaced_;
};

/// Builds the ops of a graph, each one once.
class LaterBuilder {
 public:
  LaterBuilder(OpBuilder& builder, ValueRange sums, ValueRange arguments)
      : builder_(builder), sums_(sums), arguments_(arguments) {}

  Value build(const LaterValue& value) {
    switch (value.from) {
      case LaterValue::From::Term:
        return sums_[value.index];
      case LaterValue::From::Argument:
        return arguments_[value.index];
      case LaterValue::From::Op:
        return build(*value.op)->getResult(value.index);
    }
    llvm_unreachable("a later value is of an op, a term or an argument");
  }

 private:
  Operation* build(const LaterOp& later) {
    if (Operation* known = built_.lookup(&later)) return known;
    mlir::IRMapping mapping;
    for (auto [operand, value] :
         llvm::zip(later.op->getOperands(), later.operands))
      mapping.map(operand, build(value));
    Operation* op = builder_.clone(*later.op, mapping);
    built_[&later] = op;
    return op;
  }

  OpBuilder& builder_;
  ValueRange sums_;
  ValueRange arguments_;
  llvm::DenseMap<const LaterOp*, Operation*> built_;
};

}  // namespace

LaterValue seenByCaller(
    const LaterValue& value,
    const std::function<LaterValue(const LaterValue&)>& leaf) {
  return LeafReplacer(leaf).replaced(value);
}

mlir::OpOperand* findUseOfTerm(const LaterValue& value, int64_t index) {
  SmallVector<const LaterOp*> ops;
  llvm::SmallPtrSet<const LaterOp*, 8> seen;
  auto visit = [&](const LaterValue& from) {
    if (from.from == LaterValue::From::Op && seen.insert(from.op.get()).second)
      ops.push_back(from.op.get());
  };
  visit(value);
  while (!ops.empty()) {
    const LaterOp* op = ops.pop_back_val();
    for (auto [number, operand] : llvm::enumerate(op->operands)) {
      if (operand.from == LaterValue::From::Term && operand.index == index)
        return &op->op->getOpOperand(number);
      visit(operand);
    }
  }
  return nullptr;
}

Value buildLater(OpBuilder& builder, const LaterValue& value, ValueRange sums,
                 ValueRange arguments) {
  return LaterBuilder(builder, sums, arguments).build(value);
}

}  // namespace sbp
