#include "passes/cut/EntryUnits.h"

#include "passes/module/OpKey.h"
#include "passes/stages/Stages.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

mlir::FunctionType typeOf(Operation* op) {
  return mlir::FunctionType::get(op->getContext(), op->getOperandTypes(),
                                 op->getResultTypes());
}

void append(std::vector<const void*>& key, const OpKey& part) {
  key.insert(key.end(),
             {std::get<0>(part), std::get<1>(part), std::get<2>(part)});
}

/// Returns `number` as an element of a key.
const void* asKey(int64_t number) {
  return reinterpret_cast<const void*>(number);
}

}  // namespace

mlir::FlatSymbolRefAttr parameterOf(Value value) {
  auto get = value.getDefiningOp<nn::GetOp>();
  return get ? get.getNameAttr() : mlir::FlatSymbolRefAttr();
}

EntryUnits::EntryUnits(FuncOp entry, const mlir::SymbolTable& symbols)
    : symbols_(symbols) {
  for (Operation& op : entry.getBody().front().without_terminator())
    if (!isSource(&op)) addUnit(op);
}

int64_t EntryUnits::indexIn(int64_t unit, Value value) const {
  for (auto [position, operand] : llvm::enumerate(units_[unit].operands))
    if (operand == value) return static_cast<int64_t>(position);
  return -1;
}

void EntryUnits::addUnit(Operation& op) {
  EntryUnit unit;
  unit.op = &op;
  bool isActive = false;
  for (Value operand : op.getOperands()) {
    Operation* maker = operand.getDefiningOp();
    if (maker && isSource(maker) && !llvm::isa<nn::GetOp>(maker)) continue;
    if (llvm::is_contained(unit.operands, operand)) continue;
    unit.operands.push_back(operand);
    if (mlir::FlatSymbolRefAttr name = parameterOf(operand)) {
      ParameterReaders& readers = parameters_[name.getValue()];
      auto parameter = symbols_.lookup<nn::ParameterOp>(name.getAttr());
      readers.isTrained =
          !parameter.getFrozen() && !parameter.getState() &&
          llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(operand));
      if (readers.units.empty() || readers.units.back() != numUnits())
        readers.units.push_back(numUnits());
      isActive |= readers.isTrained;
    }
    isActive |= hasGradient(operand);
  }
  for (Value result : op.getResults()) {
    if (!result.use_empty()) unit.results.push_back(result);
    if (isActive &&
        llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(result)))
      active_.insert(result);
  }
  auto [known, isNew] =
      kinds_.try_emplace(keyOf(unit), static_cast<int64_t>(kinds_.size()));
  if (isNew) firstOfKinds_.push_back(numUnits());
  unit.kind = known->second;
  units_.push_back(std::move(unit));
}

EntryUnits::Key EntryUnits::keyOf(const EntryUnit& unit) const {
  Key key;
  append(key, opKeyOf(unit.op, typeOf(unit.op)));
  for (Value operand : unit.op->getOperands()) addToKey(key, operand, unit);
  for (Value result : unit.op->getResults())
    key.push_back(asKey(result.use_empty()));
  return key;
}

/// Adds to `key` the properties of `operand` on which the price of `unit`
/// depends.
void EntryUnits::addToKey(Key& key, Value operand,
                          const EntryUnit& unit) const {
  enum { kMade, kMadeActive, kInput, kSource, kParameter, kParameterOfOther };
  const auto* place = llvm::find(unit.operands, operand);
  key.push_back(asKey(place - unit.operands.begin()));
  Operation* maker = operand.getDefiningOp();
  if (!maker) {
    key.push_back(asKey(kInput));
  } else if (mlir::FlatSymbolRefAttr name = parameterOf(operand)) {
    const ParameterReaders& readers = parameters_.at(name.getValue());
    bool isFirst = readers.units.front() == numUnits();
    key.push_back(asKey(isFirst ? kParameter : kParameterOfOther));
    key.push_back(asKey(readers.isTrained));
  } else if (isSource(maker)) {
    key.push_back(asKey(kSource));
    append(key, opKeyOf(maker, typeOf(maker)));
  } else {
    key.push_back(asKey(hasGradient(operand) ? kMadeActive : kMade));
  }
}

}  // namespace sbp
