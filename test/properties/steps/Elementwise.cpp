// Elementwise ops. A function with a pole gets operands away from it.

#include <algorithm>
#include <cmath>

#include "dialects/nn/Nn.h"
#include "test/properties/steps/Steps.h"

namespace sbp::properties {
namespace {

// ---- One operand ------------------------------------------------------------

template <typename Op>
void addUnary(FunctionWriter& f, double bound) {
  f.keep(f.make<Op>(f.floats()), bound);
}

/// Adds an op whose result is at most as large as its operand.
template <typename Op>
void addContracting(FunctionWriter& f) {
  Value x = f.floats();
  f.keep(f.make<Op>(x), f.boundOf(x));
}

void addNeg(FunctionWriter& f) {
  Value x = f.choices().chance(25) ? f.integers() : f.floats();
  f.keep(f.make<nn::NegOp>(x), f.boundOf(x));
}

void addExp(FunctionWriter& f) {
  Value x = f.floats();
  if (f.boundOf(x) > 2) {
    x = f.make<nn::TanhOp>(x);
    f.setBound(x, 1);
  }
  f.keep(f.make<nn::ExpOp>(x), std::exp(f.boundOf(x)));
}

void addLog(FunctionWriter& f) {
  Value x = f.positive(f.floats());
  f.keep(f.make<nn::LogOp>(x), std::max(1.2, std::log(f.boundOf(x))));
}

void addSqrt(FunctionWriter& f) {
  Value x = f.positive(f.floats());
  f.keep(f.make<nn::SqrtOp>(x), std::max(1.0, f.boundOf(x)));
}

void addRsqrt(FunctionWriter& f) {
  f.keep(f.make<nn::RsqrtOp>(f.positive(f.floats())), 2);
}

void addTanh(FunctionWriter& f) { addUnary<nn::TanhOp>(f, 1); }
void addSigmoid(FunctionWriter& f) { addUnary<nn::SigmoidOp>(f, 1); }

void addGelu(FunctionWriter& f) {
  Value x = f.floats();
  auto result = f.make<nn::GeluOp>(x.getType(), x, f.choices().chance(50));
  f.keep(result, f.boundOf(x));
}

/// Adds a conversion between booleans, integers and floating point.
void addCast(FunctionWriter& f) {
  Value x = f.anything();
  bool toFloat = !isFloat(x) || f.choices().chance(30);
  Type element = toFloat ? f.floatType() : f.integerType();
  auto type = RankedTensorType::get(shapeOf(x), element);
  f.keep(f.make<nn::CastOp>(type, x), std::max(1.0, f.boundOf(x)));
}

// ---- Two and three operands -------------------------------------------------

/// Returns two operands, floating-point or integer, whose shapes broadcast.
std::pair<Value, Value> twoOperands(FunctionWriter& f) {
  Value x = f.choices().chance(15) ? f.integers() : f.floats();
  Value y = f.broadcasting(shapeOf(x), elementTypeOf(x));
  if (f.choices().chance(50)) std::swap(x, y);
  return {x, y};
}

template <typename Op>
void addSumLike(FunctionWriter& f) {
  auto [x, y] = twoOperands(f);
  f.keep(f.make<Op>(x, y), f.boundOf(x) + f.boundOf(y));
}

template <typename Op>
void addExtremum(FunctionWriter& f) {
  auto [x, y] = twoOperands(f);
  f.keep(f.make<Op>(x, y), std::max(f.boundOf(x), f.boundOf(y)));
}

void addMul(FunctionWriter& f) {
  auto [x, y] = twoOperands(f);
  f.keep(f.make<nn::MulOp>(x, y), f.boundOf(x) * f.boundOf(y));
}

void addDiv(FunctionWriter& f) {
  auto [x, y] = twoOperands(f);
  if (isFloat(y)) {
    f.keep(f.make<nn::DivOp>(x, f.positive(y)), 3 * f.boundOf(x));
    return;
  }
  Value divisor =
      f.integerSplat(shapeOf(y), elementTypeOf(y), f.choices().between(1, 5));
  f.keep(f.make<nn::DivOp>(x, divisor), f.boundOf(x));
}

/// Adds a comparison of `x` with a new leaf. A comparison with a value that is
/// equal to `x` except for rounding errors would have a random result.
Value compared(FunctionWriter& f, Value x) {
  using nn::Predicate;
  constexpr Predicate kOrders[] = {Predicate::Less,    Predicate::LessEqual,
                                   Predicate::Greater, Predicate::GreaterEqual,
                                   Predicate::Equal,   Predicate::NotEqual};
  Predicate predicate =
      f.choices().pick(ArrayRef(kOrders).drop_back(isFloat(x) ? 2 : 0));
  Shape shape(shapeOf(x));
  if (f.choices().chance(50)) shape.clear();
  Value y = f.newLeaf(shape, elementTypeOf(x));
  return f.make<nn::CompareOp>(predicate, x, y);
}

void addCompare(FunctionWriter& f) {
  Value x = f.choices().chance(30) ? f.integers() : f.floats();
  f.keep(compared(f, x), 1);
}

void addSelect(FunctionWriter& f) {
  auto [x, y] = twoOperands(f);
  Value condition = f.choices().chance(60)
                        ? compared(f, isFloat(x) ? x : y)
                        : f.broadcasting(shapeOf(x), f.builder().getI1Type());
  // Three shapes broadcast if each pair of them does.
  auto merged = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    for (size_t i = 1; i <= std::min(a.size(), b.size()); ++i)
      if (a[a.size() - i] != b[b.size() - i] && a[a.size() - i] != 1 &&
          b[b.size() - i] != 1)
        return false;
    return true;
  };
  if (!merged(shapeOf(condition), shapeOf(y)))
    condition = f.newLeaf({}, f.builder().getI1Type());
  f.keep(f.make<nn::SelectOp>(condition, x, y),
         std::max(f.boundOf(x), f.boundOf(y)));
}

}  // namespace

std::vector<FunctionStep> elementwiseSteps() {
  return {addNeg,
          addExp,
          addLog,
          addSqrt,
          addRsqrt,
          addTanh,
          addSigmoid,
          addContracting<nn::ReluOp>,
          addContracting<nn::SiluOp>,
          addGelu,
          addCast,
          addSumLike<nn::AddOp>,
          addSumLike<nn::SubOp>,
          addMul,
          addDiv,
          addExtremum<nn::MaxOp>,
          addExtremum<nn::MinOp>,
          addCompare,
          addSelect};
}

}  // namespace sbp::properties
