// Adjoints of the ops that work element by element. If possible, a derivative
// is computed from the result, so that the operand need not be kept.

#include "dialects/nn/Nn.h"
#include "passes/differentiate/adjoints/Adjoint.h"
#include "passes/differentiate/adjoints/Adjoints.h"

namespace sbp {
namespace {

// ---- One operand ------------------------------------------------------------

Gradients ofNeg(nn::NegOp, Term g) { return {-g}; }

Gradients ofExp(nn::ExpOp op, Term g) { return {g * g.at(op.getResult())}; }

Gradients ofLog(nn::LogOp op, Term g) { return {g / g.at(op.getInput())}; }

Gradients ofSqrt(nn::SqrtOp op, Term g) {
  return {0.5 * g / g.at(op.getResult())};
}

// y = x^(-1/2), y' = -1/2 x^(-3/2) = -1/2 y^3
Gradients ofRsqrt(nn::RsqrtOp op, Term g) {
  Term y = g.at(op.getResult());
  return {-0.5 * g * (y * y * y)};
}

Gradients ofTanh(nn::TanhOp op, Term g) {
  Term y = g.at(op.getResult());
  return {g * (1.0 - y * y)};
}

Gradients ofSigmoid(nn::SigmoidOp op, Term g) {
  Term y = g.at(op.getResult());
  return {g * (y * (1.0 - y))};
}

// The derivative is 0 at 0.
Gradients ofRelu(nn::ReluOp op, Term g) {
  Term zero = g.scalar(0.0);
  return {select(isLess(zero, g.at(op.getResult())), g, zero)};
}

Gradients ofSilu(nn::SiluOp op, Term g) {
  return {g.build<nn::SiluGradOp>(op.getInput(), g)};
}

Gradients ofGelu(nn::GeluOp op, Term g) {
  return {g.build<nn::GeluGradOp>(op.getTanh(), op.getInput(), g)};
}

// Integer operands have no gradient.
Gradients ofCast(nn::CastOp op, Term g) {
  if (!llvm::isa<mlir::FloatType>(g.at(op.getInput()).elementType()))
    return {Value()};
  return {g.build<nn::CastOp>(op.getInput().getType(), g)};
}

// ---- Two and three operands -------------------------------------------------

Gradients ofAdd(nn::AddOp, Term g) { return {g, g}; }

Gradients ofSub(nn::SubOp, Term g) { return {g, -g}; }

Gradients ofMul(nn::MulOp op, Term g) {
  return {g * g.at(op.getRhs()), g * g.at(op.getLhs())};
}

// y = a / b:  da = g / b,  db = -g a / b^2 = -(g / b) y
Gradients ofDiv(nn::DivOp op, Term g) {
  Term share = g / g.at(op.getRhs());
  return {share, -(share * g.at(op.getResult()))};
}

/// Returns the gradient of one operand of a maximum or minimum. It is 0 where
/// the other operand is chosen, half of `g` where both are equal, and `g`
/// elsewhere.
Value winnersShare(Term isBeaten, Term areEqual, Term g) {
  return select(isBeaten, g.scalar(0.0), select(areEqual, 0.5 * g, g));
}

Gradients ofMax(nn::MaxOp op, Term g) {
  Term a = g.at(op.getLhs());
  Term b = g.at(op.getRhs());
  Term areEqual = isEqual(a, b);
  return {winnersShare(isLess(a, b), areEqual, g),
          winnersShare(isLess(b, a), areEqual, g)};
}

Gradients ofMin(nn::MinOp op, Term g) {
  Term a = g.at(op.getLhs());
  Term b = g.at(op.getRhs());
  Term areEqual = isEqual(a, b);
  return {winnersShare(isLess(b, a), areEqual, g),
          winnersShare(isLess(a, b), areEqual, g)};
}

Gradients ofSelect(nn::SelectOp op, Term g) {
  Term condition = g.at(op.getCondition());
  Term zero = g.scalar(0.0);
  return {Value(), select(condition, g, zero), select(condition, zero, g)};
}

}  // namespace

void attachElementwiseAdjoints(MLIRContext* context) {
  attachAdjoints<ofNeg, ofExp, ofLog, ofSqrt, ofRsqrt, ofTanh, ofSigmoid,
                 ofRelu, ofSilu, ofGelu, ofCast, ofAdd, ofSub, ofMul, ofDiv,
                 ofMax, ofMin, ofSelect>(context);
}

}  // namespace sbp
