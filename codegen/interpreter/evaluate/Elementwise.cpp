// Ops that compute an element from operand elements at the same index, with
// broadcasting. Each op is a function of one or two numbers; the walk over the
// elements is shared.

#include <cmath>
#include <limits>

#include "codegen/interpreter/Monoid.h"
#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "codegen/interpreter/evaluate/Walk.h"
#include "dialects/nn/Nn.h"

namespace sbp::interpreter {
namespace {

// ---- Functions of one number ------------------------------------------------

double rsqrt(double x) { return 1 / std::sqrt(x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double relu(double x) { return x > 0 || std::isnan(x) ? x : 0; }
double silu(double x) { return x * sigmoid(x); }
double siluGrad(double x) { return sigmoid(x) * (1 + x * (1 - sigmoid(x))); }

/// Returns the standard normal distribution function, or its density, at x.
double normalBelow(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
double normalDensity(double x) {
  return std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
}

double gelu(double x) { return x * normalBelow(x); }
double geluGrad(double x) { return normalBelow(x) + x * normalDensity(x); }

constexpr double kGeluCubic = 0.044715;
double geluTanhArgument(double x) {
  return std::sqrt(2 / M_PI) * (x + kGeluCubic * x * x * x);
}
double geluTanh(double x) {
  return x / 2 * (1 + std::tanh(geluTanhArgument(x)));
}
double geluTanhGrad(double x) {
  double t = std::tanh(geluTanhArgument(x));
  double slope = std::sqrt(2 / M_PI) * (1 + 3 * kGeluCubic * x * x);
  return (1 + t) / 2 + x / 2 * (1 - t * t) * slope;
}

// ---- Functions of two numbers -----------------------------------------------

// Integers wrap around: they are computed by unsigned arithmetic.
int64_t wrapping(uint64_t value) { return static_cast<int64_t>(value); }

struct Add {
  double operator()(double a, double b) const { return a + b; }
  int64_t operator()(int64_t a, int64_t b) const {
    return wrapping(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  }
};
struct Sub {
  double operator()(double a, double b) const { return a - b; }
  int64_t operator()(int64_t a, int64_t b) const {
    return wrapping(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  }
};
struct Mul {
  double operator()(double a, double b) const { return a * b; }
  int64_t operator()(int64_t a, int64_t b) const {
    return wrapping(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
};
struct Max {
  template <typename Element>
  Element operator()(Element a, Element b) const {
    return combine(Reduction::Max, a, b);
  }
};
struct Min {
  template <typename Element>
  Element operator()(Element a, Element b) const {
    return combine(Reduction::Min, a, b);
  }
};
struct Div {
  double operator()(double a, double b) const { return a / b; }
  int64_t operator()(int64_t a, int64_t b) const {
    if (b == 0) return 0;
    // The lowest integer divided by -1 wraps around.
    return b == -1 ? Sub()(0, a) : a / b;
  }
};

template <typename Element>
bool compare(nn::Predicate predicate, Element a, Element b) {
  switch (predicate) {
    case nn::Predicate::Equal:
      return a == b;
    case nn::Predicate::NotEqual:
      return a != b;
    case nn::Predicate::Less:
      return a < b;
    case nn::Predicate::LessEqual:
      return a <= b;
    case nn::Predicate::Greater:
      return a > b;
    case nn::Predicate::GreaterEqual:
      return a >= b;
  }
  llvm_unreachable("a predicate is one of six");
}

// ---- Whole tensors ----------------------------------------------------------

/// Returns `function` of each element of a floating-point tensor.
template <typename Function>
Tensor mapped(const Tensor& input, Function function) {
  std::vector<double> elements;
  for (double element : input.floats()) elements.push_back(function(element));
  return Tensor(input.type(), std::move(elements));
}

/// Returns `function` of the elements of two tensors at each index of `type`,
/// to which both broadcast, as elements of `Result`.
template <typename Result, typename Element, typename Function>
Tensor mappedPairs(RankedTensorType type, const Tensor& lhs, const Tensor& rhs,
                   Function function) {
  ArrayRef<int64_t> shape = type.getShape();
  ArrayRef<Element> a = lhs.elements<Element>();
  ArrayRef<Element> b = rhs.elements<Element>();
  std::vector<Result> elements;
  std::array strides = {broadcastStrides(lhs.shape(), shape),
                        broadcastStrides(rhs.shape(), shape)};
  walk(shape, strides,
       [&](auto at) { elements.push_back(function(a[at[0]], b[at[1]])); });
  return Tensor(type, std::move(elements));
}

template <typename Op>
void addUnary(Evaluators& evaluators, double (*function)(double)) {
  evaluators.add<Op>([function](Op, ArrayRef<Tensor> operands) {
    return mapped(operands[0], function);
  });
}

/// Returns `function` of two operands of one element type.
template <typename Function>
Tensor binary(Operation* op, ArrayRef<Tensor> operands, Function function) {
  return buildByElement(operands[0].elementType(), [&](auto zero) {
    using Element = decltype(zero);
    return mappedPairs<Element, Element>(resultType(op), operands[0],
                                         operands[1], function);
  });
}

template <typename Op, typename Function>
void addBinary(Evaluators& evaluators, Function function) {
  evaluators.add<Op>([function](Op op, ArrayRef<Tensor> operands) {
    return binary(op, operands, function);
  });
}

Tensor evaluateNeg(nn::NegOp, ArrayRef<Tensor> operands) {
  const Tensor& input = operands[0];
  return buildByElement(input.elementType(), [&](auto zero) {
    std::vector<decltype(zero)> elements;
    for (auto element : input.elements<decltype(zero)>())
      elements.push_back(Mul()(element, static_cast<decltype(zero)>(-1)));
    return Tensor(input.type(), std::move(elements));
  });
}

Tensor evaluateCompare(nn::CompareOp op, ArrayRef<Tensor> operands) {
  return buildByElement(operands[0].elementType(), [&](auto zero) {
    using Element = decltype(zero);
    return mappedPairs<int64_t, Element>(
        resultType(op), operands[0], operands[1],
        [&](Element a, Element b) -> int64_t {
          return compare(op.getPredicate(), a, b);
        });
  });
}

Tensor evaluateSelect(nn::SelectOp op, ArrayRef<Tensor> operands) {
  RankedTensorType type = resultType(op);
  std::array<Strides, 3> strides;
  for (size_t operand = 0; operand < 3; ++operand)
    strides[operand] =
        broadcastStrides(operands[operand].shape(), type.getShape());
  ArrayRef<int64_t> condition = operands[0].integers();
  return buildByElement(type.getElementType(), [&](auto zero) {
    using Element = decltype(zero);
    ArrayRef<Element> onTrue = operands[1].elements<Element>();
    ArrayRef<Element> onFalse = operands[2].elements<Element>();
    std::vector<Element> elements;
    walk(type.getShape(), strides, [&](auto at) {
      elements.push_back(condition[at[0]] ? onTrue[at[1]] : onFalse[at[2]]);
    });
    return Tensor(type, std::move(elements));
  });
}

// ---- Cast -------------------------------------------------------------------

/// Rounds toward zero. Values outside the range of 64 bits become the nearest
/// integer, and NaN becomes 0.
int64_t truncated(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 0x1p63) return std::numeric_limits<int64_t>::max();
  if (value < -0x1p63) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

Tensor evaluateCast(nn::CastOp op, ArrayRef<Tensor> operands) {
  const Tensor& input = operands[0];
  RankedTensorType type = resultType(op);
  if (llvm::isa<mlir::FloatType>(type.getElementType())) {
    std::vector<double> elements;
    for (int64_t index = 0; index < input.numElements(); ++index)
      elements.push_back(input.asDouble(index));
    return Tensor(type, std::move(elements));
  }
  bool isBool = type.getElementType().isInteger(1);
  std::vector<int64_t> elements;
  for (int64_t index = 0; index < input.numElements(); ++index) {
    int64_t integer = input.isFloat() ? truncated(input.floats()[index])
                                      : input.integers()[index];
    bool isNonzero = input.asDouble(index) != 0;
    elements.push_back(isBool ? isNonzero : integer);
  }
  return Tensor(type, std::move(elements));
}

// ---- Gradients --------------------------------------------------------------

/// Returns gradient * slope(input).
Tensor scaledBySlope(ArrayRef<Tensor> operands, double (*slope)(double)) {
  return mappedPairs<double, double>(
      operands[0].type(), operands[0], operands[1],
      [&](double x, double gradient) { return gradient * slope(x); });
}

}  // namespace

void addElementwiseEvaluators(Evaluators& evaluators) {
  addUnary<nn::ExpOp>(evaluators, std::exp);
  addUnary<nn::LogOp>(evaluators, std::log);
  addUnary<nn::SqrtOp>(evaluators, std::sqrt);
  addUnary<nn::RsqrtOp>(evaluators, rsqrt);
  addUnary<nn::TanhOp>(evaluators, std::tanh);
  addUnary<nn::SigmoidOp>(evaluators, sigmoid);
  addUnary<nn::ReluOp>(evaluators, relu);
  addUnary<nn::SiluOp>(evaluators, silu);
  evaluators.add<nn::GeluOp>([](nn::GeluOp op, ArrayRef<Tensor> operands) {
    return mapped(operands[0], op.getTanh() ? geluTanh : gelu);
  });

  addBinary<nn::AddOp>(evaluators, Add());
  addBinary<nn::SubOp>(evaluators, Sub());
  addBinary<nn::MulOp>(evaluators, Mul());
  addBinary<nn::DivOp>(evaluators, Div());
  addBinary<nn::MaxOp>(evaluators, Max());
  addBinary<nn::MinOp>(evaluators, Min());

  evaluators.add<nn::NegOp>(evaluateNeg);
  evaluators.add<nn::CompareOp>(evaluateCompare);
  evaluators.add<nn::SelectOp>(evaluateSelect);
  evaluators.add<nn::CastOp>(evaluateCast);

  evaluators.add<nn::SiluGradOp>([](nn::SiluGradOp, ArrayRef<Tensor> operands) {
    return scaledBySlope(operands, siluGrad);
  });
  evaluators.add<nn::GeluGradOp>(
      [](nn::GeluGradOp op, ArrayRef<Tensor> operands) {
        return scaledBySlope(operands, op.getTanh() ? geluTanhGrad : geluGrad);
      });
}

}  // namespace sbp::interpreter
