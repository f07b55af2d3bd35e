// Folds of elementwise ops. They change no bit of any element. x * 1 and x - 0
// fold to x; x + 0 does not, because x may be -0. A cast to another type and
// back folds only if the other type can represent every number of the first
// type.

#include "dialects/nn/Folds.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {
namespace {

/// Returns `value` in place of the result of `op`, or null if their types
/// differ or `op` is marked.
mlir::OpFoldResult asResult(Operation* op, Value value) {
  const bool fits = value.getType() == op->getResult(0).getType();
  return isUnmarked(op) && fits ? value : Value();
}

/// Returns whether `value` is a constant that repeats `number`. Zeros of floats
/// differ by sign; those of integers do not.
bool repeats(Value value, double number) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || !constant.isSplat()) return false;
  auto element = llvm::cast<mlir::DenseElementsAttr>(constant.getValue())
                     .getSplatValue<Attribute>();
  if (auto real = llvm::dyn_cast<mlir::FloatAttr>(element))
    return real.getValue().isExactlyValue(number);
  return llvm::cast<mlir::IntegerAttr>(element).getValue() ==
         static_cast<int64_t>(number);
}

/// Returns whether a cast from `from` to `to` keeps the value of every number.
bool keepsNumbers(Type from, Type to) {
  if (from.isInteger(1)) return true;
  if (to.isInteger())
    return from.isInteger() &&
           from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  if (!to.isF32() && !to.isF64()) return false;
  auto toFloat = llvm::cast<mlir::FloatType>(to);
  if (auto fromFloat = llvm::dyn_cast<mlir::FloatType>(from))
    return llvm::APFloat::isRepresentableBy(fromFloat.getFloatSemantics(),
                                            toFloat.getFloatSemantics());
  return from.getIntOrFloatBitWidth() <= toFloat.getFPMantissaWidth();
}

/// Returns whether a cast from `from` to `between` and a cast from `between` to
/// `to` can be joined to one cast. Casts between floats and integers are joined
/// only if the last cast undoes the first, because the rounding of such casts
/// differs by target.
bool isOneCast(Type from, Type between, Type to) {
  if (!keepsNumbers(from, between)) return false;
  return to == from || (from.isInteger() == between.isInteger() &&
                        between.isInteger() == to.isInteger());
}

}  // namespace

// ---- One operand ------------------------------------------------------------

mlir::OpFoldResult NegOp::fold(FoldAdaptor) {
  auto inner = getInput().getDefiningOp<NegOp>();
  if (!inner || !isUnmarked(inner)) return {};
  return asResult(*this, inner.getInput());
}

mlir::OpFoldResult ReluOp::fold(FoldAdaptor) {
  if (!getInput().getDefiningOp<ReluOp>()) return {};
  return asResult(*this, getInput());
}

mlir::OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType()) return asResult(*this, getInput());
  auto inner = absorbed<CastOp>(*this, getInput());
  if (!inner || !isOneCast(mlir::getElementTypeOrSelf(inner.getInput()),
                           mlir::getElementTypeOrSelf(getInput()),
                           mlir::getElementTypeOrSelf(getResult())))
    return {};
  getInputMutable().assign(inner.getInput());
  return getResult();
}

// ---- Two and three operands -------------------------------------------------

mlir::OpFoldResult AddOp::fold(FoldAdaptor) {
  // -0 is neutral for floats, and 0 is not: -0 + 0 is 0.
  if (repeats(getRhs(), -0.0)) return asResult(*this, getLhs());
  if (repeats(getLhs(), -0.0)) return asResult(*this, getRhs());
  return {};
}

mlir::OpFoldResult SubOp::fold(FoldAdaptor) {
  return repeats(getRhs(), 0.0) ? asResult(*this, getLhs())
                                : mlir::OpFoldResult();
}

mlir::OpFoldResult MulOp::fold(FoldAdaptor) {
  if (repeats(getRhs(), 1.0)) return asResult(*this, getLhs());
  if (repeats(getLhs(), 1.0)) return asResult(*this, getRhs());
  return {};
}

mlir::OpFoldResult DivOp::fold(FoldAdaptor) {
  return repeats(getRhs(), 1.0) ? asResult(*this, getLhs())
                                : mlir::OpFoldResult();
}

mlir::OpFoldResult MaxOp::fold(FoldAdaptor) {
  return getLhs() == getRhs() ? asResult(*this, getLhs())
                              : mlir::OpFoldResult();
}

mlir::OpFoldResult MinOp::fold(FoldAdaptor) {
  return getLhs() == getRhs() ? asResult(*this, getLhs())
                              : mlir::OpFoldResult();
}

mlir::OpFoldResult SelectOp::fold(FoldAdaptor) {
  if (getOnTrue() == getOnFalse() || repeats(getCondition(), 1))
    return asResult(*this, getOnTrue());
  if (repeats(getCondition(), 0)) return asResult(*this, getOnFalse());
  return {};
}

}  // namespace sbp::nn
