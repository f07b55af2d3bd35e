#include "codegen/kernels/Arithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp {

using namespace mlir;

namespace {

bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

arith::CmpFPredicate floatPredicate(nn::Predicate predicate) {
  switch (predicate) {
    case nn::Predicate::Equal:
      return arith::CmpFPredicate::OEQ;
    case nn::Predicate::NotEqual:
      return arith::CmpFPredicate::UNE;  // NaN differs from everything
    case nn::Predicate::Less:
      return arith::CmpFPredicate::OLT;
    case nn::Predicate::LessEqual:
      return arith::CmpFPredicate::OLE;
    case nn::Predicate::Greater:
      return arith::CmpFPredicate::OGT;
    case nn::Predicate::GreaterEqual:
      return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("all predicates are above");
}

arith::CmpIPredicate integerPredicate(nn::Predicate predicate) {
  switch (predicate) {
    case nn::Predicate::Equal:
      return arith::CmpIPredicate::eq;
    case nn::Predicate::NotEqual:
      return arith::CmpIPredicate::ne;
    case nn::Predicate::Less:
      return arith::CmpIPredicate::slt;
    case nn::Predicate::LessEqual:
      return arith::CmpIPredicate::sle;
    case nn::Predicate::Greater:
      return arith::CmpIPredicate::sgt;
    case nn::Predicate::GreaterEqual:
      return arith::CmpIPredicate::sge;
  }
  llvm_unreachable("all predicates are above");
}

}  // namespace

Value Arithmetic::like(Value prototype, double value) {
  if (isFloat(prototype)) return builder_.number(prototype.getType(), value);
  auto element = IntegerAttr::get(getElementTypeOrSelf(prototype),
                                  static_cast<int64_t>(value));
  if (auto shaped = dyn_cast<ShapedType>(prototype.getType()))
    return arith::ConstantOp::create(builder_,
                                     DenseElementsAttr::get(shaped, element));
  return arith::ConstantOp::create(builder_, element);
}

Value Arithmetic::neg(Value a) {
  if (isFloat(a)) return arith::NegFOp::create(builder_, a);
  return arith::SubIOp::create(builder_, like(a, 0), a);
}

Value Arithmetic::add(Value a, Value b) {
  if (isFloat(a)) return arith::AddFOp::create(builder_, a, b);
  return arith::AddIOp::create(builder_, a, b);
}

Value Arithmetic::sub(Value a, Value b) {
  if (isFloat(a)) return arith::SubFOp::create(builder_, a, b);
  return arith::SubIOp::create(builder_, a, b);
}

Value Arithmetic::mul(Value a, Value b) {
  if (isFloat(a)) return arith::MulFOp::create(builder_, a, b);
  return arith::MulIOp::create(builder_, a, b);
}

Value Arithmetic::div(Value a, Value b) {
  if (isFloat(a)) return arith::DivFOp::create(builder_, a, b);
  // A CPU traps when it divides by zero, and when it divides the least integer
  // by -1; that quotient wraps to the least integer.
  Value isZero = compare(nn::Predicate::Equal, b, like(b, 0));
  Value isMinusOne = compare(nn::Predicate::Equal, b, like(b, -1));
  Value traps = arith::OrIOp::create(builder_, isZero, isMinusOne);
  Value quotient =
      arith::DivSIOp::create(builder_, a, select(traps, like(b, 1), b));
  return select(isZero, like(a, 0), select(isMinusOne, neg(a), quotient));
}

Value Arithmetic::max(Value a, Value b) {
  if (isFloat(a)) return arith::MaximumFOp::create(builder_, a, b);
  return arith::MaxSIOp::create(builder_, a, b);
}

Value Arithmetic::min(Value a, Value b) {
  if (isFloat(a)) return arith::MinimumFOp::create(builder_, a, b);
  return arith::MinSIOp::create(builder_, a, b);
}

Value Arithmetic::compare(nn::Predicate predicate, Value a, Value b) {
  if (isFloat(a))
    return arith::CmpFOp::create(builder_, floatPredicate(predicate), a, b);
  return arith::CmpIOp::create(builder_, integerPredicate(predicate), a, b);
}

Value Arithmetic::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder_, condition, a, b);
}

Value Arithmetic::cast(Value a, Type to) {
  Type from = getElementTypeOrSelf(a);
  if (from == to) return a;
  if (to.isInteger(1)) return compare(nn::Predicate::NotEqual, a, like(a, 0));
  Type type = to;
  if (auto vector = dyn_cast<VectorType>(a.getType()))
    type = VectorType::get(vector.getShape(), to);
  const bool widens = from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  if (isa<FloatType>(from) && isa<FloatType>(to))
    return widens ? Value(arith::ExtFOp::create(builder_, type, a))
                  : Value(arith::TruncFOp::create(builder_, type, a));
  // Not every chip converts integers to bf16: go by way of f32.
  if (auto real = dyn_cast<FloatType>(to); real && real.getWidth() < 32)
    return cast(cast(a, builder_.getF32Type()), to);
  if (isa<FloatType>(from)) return arith::FPToSIOp::create(builder_, type, a);
  const bool isBool = from.isInteger(1);
  if (isa<FloatType>(to))
    return isBool ? Value(arith::UIToFPOp::create(builder_, type, a))
                  : Value(arith::SIToFPOp::create(builder_, type, a));
  if (isBool) return arith::ExtUIOp::create(builder_, type, a);
  return widens ? Value(arith::ExtSIOp::create(builder_, type, a))
                : Value(arith::TruncIOp::create(builder_, type, a));
}

Value Arithmetic::multiplyAdd(Value a, Value b, Value c) {
  // A product and a sum would not do: whether LLVM contracts them depends on
  // the code around them.
  return math::FmaOp::create(builder_, a, b, c);
}

Value Arithmetic::exp(Value a) { return math::ExpOp::create(builder_, a); }
Value Arithmetic::log(Value a) { return math::LogOp::create(builder_, a); }
Value Arithmetic::sqrt(Value a) { return math::SqrtOp::create(builder_, a); }
Value Arithmetic::tanh(Value a) { return math::TanhOp::create(builder_, a); }
Value Arithmetic::erf(Value a) { return math::ErfOp::create(builder_, a); }

Value Arithmetic::sigmoid(Value a) {
  return div(like(a, 1), add(like(a, 1), exp(neg(a))));
}

}  // namespace sbp
