// Kernels of element-wise ops, whose operands broadcast to the result. There is
// one formula per op.

#include <cmath>

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/KernelOp.h"
#include "codegen/kernels/families/AttachKernels.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp {

using namespace mlir;

namespace {

// ---- Formulas for one element of each operand ----

Value compute(nn::NegOp, Arithmetic& x, ValueRange in) { return x.neg(in[0]); }
Value compute(nn::ExpOp, Arithmetic& x, ValueRange in) { return x.exp(in[0]); }
Value compute(nn::LogOp, Arithmetic& x, ValueRange in) { return x.log(in[0]); }
Value compute(nn::SqrtOp, Arithmetic& x, ValueRange in) {
  return x.sqrt(in[0]);
}
Value compute(nn::RsqrtOp, Arithmetic& x, ValueRange in) {
  return x.div(x.like(in[0], 1), x.sqrt(in[0]));
}
Value compute(nn::TanhOp, Arithmetic& x, ValueRange in) {
  return x.tanh(in[0]);
}
Value compute(nn::SigmoidOp, Arithmetic& x, ValueRange in) {
  return x.sigmoid(in[0]);
}
Value compute(nn::ReluOp, Arithmetic& x, ValueRange in) {
  return x.max(in[0], x.like(in[0], 0));
}
Value compute(nn::SiluOp, Arithmetic& x, ValueRange in) {
  return x.mul(in[0], x.sigmoid(in[0]));
}
Value compute(nn::AddOp, Arithmetic& x, ValueRange in) {
  return x.add(in[0], in[1]);
}
Value compute(nn::SubOp, Arithmetic& x, ValueRange in) {
  return x.sub(in[0], in[1]);
}
Value compute(nn::MulOp, Arithmetic& x, ValueRange in) {
  return x.mul(in[0], in[1]);
}
Value compute(nn::DivOp, Arithmetic& x, ValueRange in) {
  return x.div(in[0], in[1]);
}
Value compute(nn::MaxOp, Arithmetic& x, ValueRange in) {
  return x.max(in[0], in[1]);
}
Value compute(nn::MinOp, Arithmetic& x, ValueRange in) {
  return x.min(in[0], in[1]);
}
Value compute(nn::SelectOp, Arithmetic& x, ValueRange in) {
  return x.select(in[0], in[1], in[2]);
}
Value compute(nn::CompareOp op, Arithmetic& x, ValueRange in) {
  return x.compare(op.getPredicate(), in[0], in[1]);
}
Value compute(nn::BroadcastOp, Arithmetic&, ValueRange in) { return in[0]; }
Value compute(nn::CastOp op, Arithmetic& x, ValueRange in) {
  return x.cast(in[0], getElementTypeOrSelf(op.getResult()));
}

// gelu(x) = x * Phi(x), where Phi is the distribution function of the normal
// distribution. Its approximation is (1 + tanh(u)) / 2 with
// u = sqrt(2/pi) * (x + 0.044715 x^3). It is computed as sigmoid(2u), which is
// the same and reaches exactly 0 and 1.
constexpr double kCubic = 0.044715;
const double kTwiceScale = 2 * std::sqrt(2 / M_PI);

/// Returns Phi(in), or its approximation.
Value normalDistribution(Arithmetic& x, Value in, bool isApproximate) {
  if (!isApproximate) {
    Value half = x.like(in, 0.5);
    Value erf = x.erf(x.mul(in, x.like(in, std::sqrt(0.5))));
    return x.multiplyAdd(half, erf, half);
  }
  Value twiceU =
      x.mul(x.mul(in, x.like(in, kTwiceScale)),
            x.multiplyAdd(x.mul(in, in), x.like(in, kCubic), x.like(in, 1)));
  return x.sigmoid(twiceU);
}

/// Returns the derivative of normalDistribution at `in`; `phi` is
/// normalDistribution(in).
Value normalDensity(Arithmetic& x, Value in, Value phi, bool isApproximate) {
  Value square = x.mul(in, in);
  if (!isApproximate) {
    Value exp = x.exp(x.mul(square, x.like(in, -0.5)));
    return x.mul(exp, x.like(in, 1 / std::sqrt(2 * M_PI)));
  }
  Value slope =
      x.mul(x.multiplyAdd(square, x.like(in, 3 * kCubic), x.like(in, 1)),
            x.like(in, kTwiceScale));
  return x.mul(x.mul(phi, x.sub(x.like(in, 1), phi)), slope);
}

Value compute(nn::GeluOp op, Arithmetic& x, ValueRange in) {
  return x.mul(in[0], normalDistribution(x, in[0], op.getTanh()));
}

/// Emits gradient * (Phi(x) + x * Phi'(x)).
Value compute(nn::GeluGradOp op, Arithmetic& x, ValueRange in) {
  Value phi = normalDistribution(x, in[0], op.getTanh());
  Value density = normalDensity(x, in[0], phi, op.getTanh());
  return x.mul(in[1], x.multiplyAdd(in[0], density, phi));
}

/// Emits gradient * s * (1 + x * (1 - s)) with s = sigmoid(x).
Value compute(nn::SiluGradOp, Arithmetic& x, ValueRange in) {
  Value one = x.like(in[0], 1);
  Value sigmoid = x.sigmoid(in[0]);
  Value slope = x.mul(sigmoid, x.multiplyAdd(in[0], x.sub(one, sigmoid), one));
  return x.mul(in[1], slope);
}

/// Implements ElementwiseOpInterface for `Op` by its formula.
template <typename Op>
class Formula : public ElementwiseOpInterface::ExternalModel<Formula<Op>, Op> {
 public:
  SmallVector<Value> buildElement(Operation* op, Arithmetic& x,
                                  ValueRange operands) const {
    return {compute(cast<Op>(op), x, operands)};
  }
};

template <typename... Ops>
void attach(MLIRContext& context) {
  (Ops::template attachInterface<Formula<Ops>>(context), ...);
}

}  // namespace

void attachElementwiseKernels(MLIRContext& context) {
  attach<nn::NegOp, nn::ExpOp, nn::LogOp, nn::SqrtOp, nn::RsqrtOp, nn::TanhOp,
         nn::SigmoidOp, nn::ReluOp, nn::SiluOp, nn::GeluOp, nn::BroadcastOp,
         nn::CastOp, nn::AddOp, nn::SubOp, nn::MulOp, nn::DivOp, nn::MaxOp,
         nn::MinOp, nn::CompareOp, nn::SelectOp, nn::GeluGradOp,
         nn::SiluGradOp>(context);
}

}  // namespace sbp
