// Adjoints of the ops that slide windows over space.

#include "dialects/nn/Nn.h"
#include "passes/differentiate/adjoints/Adjoint.h"
#include "passes/differentiate/adjoints/Adjoints.h"

namespace sbp {
namespace {

// A convolution is linear in each operand. Its adjoints are sums of the same
// products of elements.
Gradients ofConvolution(nn::ConvolutionOp op, Term g) {
  return {g.build<nn::ConvolutionInputGradOp>(
              op.getInput().getType(), op.getFilter(), g, op.getFirst(),
              op.getFirstInAttr(), op.getStridesAttr(), op.getLowAttr(),
              op.getHighAttr(), op.getDilationsAttr()),
          g.build<nn::ConvolutionFilterGradOp>(
              op.getFilter().getType(), op.getInput(), g, op.getFirst(),
              op.getFirstInAttr(), op.getStridesAttr(), op.getLowAttr(),
              op.getHighAttr(), op.getDilationsAttr())};
}

Gradients ofPool(nn::PoolOp op, Term g) {
  return {g.build<nn::PoolGradOp>(
      op.getInput().getType(), op.getKind(), op.getInput(), g, op.getExtents(),
      op.getFirst(), op.getFirstInAttr(), op.getStridesAttr(), op.getLowAttr(),
      op.getHighAttr(), op.getDilationsAttr())};
}

}  // namespace

void attachWindowAdjoints(MLIRContext* context) {
  attachAdjoints<ofConvolution, ofPool>(context);
}

}  // namespace sbp
