// Adjoints of losses. A loss is a mean over all elements, so `g` is a scalar.

#include "dialects/nn/Nn.h"
#include "passes/differentiate/adjoints/Adjoint.h"
#include "passes/differentiate/adjoints/Adjoints.h"

namespace sbp {
namespace {

Gradients ofCrossEntropy(nn::CrossEntropyOp op, Term g) {
  return {g.build<nn::CrossEntropyGradOp>(op.getLogits(), op.getLabels(), g,
                                          op.getCountAttr())};
}

Gradients ofMse(nn::MseOp op, Term g) {
  Term difference = g.at(op.getLhs()) - g.at(op.getRhs());
  Term gradient = (2.0 / op.getDivisor()) * g * difference;
  return {gradient, -gradient};
}

}  // namespace

void attachLossAdjoints(MLIRContext* context) {
  attachAdjoints<ofCrossEntropy, ofMse>(context);
}

}  // namespace sbp
