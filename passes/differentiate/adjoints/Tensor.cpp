// Adjoints of contractions, reductions, normalisations and look-ups.

#include "dialects/nn/Nn.h"
#include "passes/differentiate/adjoints/Adjoint.h"
#include "passes/differentiate/adjoints/Adjoints.h"

namespace sbp {
namespace {

// A contraction is linear in each operand. Its adjoint with respect to one
// operand is a contraction with the letters permuted:
//
//   "bi,ij->bj"   dlhs: "bj,ij->bi"   drhs: "bi,bj->ij"
//
// Every letter of an operand is also in the other operand or in the result
// (condition C3 of nn.einsum), so each adjoint has all letters that it needs.
Gradients ofEinsum(nn::EinsumOp op, Term g) {
  auto [lhs, rhs, result] = op.getLetters();
  std::string lhsEquation = (result + "," + rhs + "->" + lhs).str();
  std::string rhsEquation = (lhs + "," + result + "->" + rhs).str();
  return {g.build<nn::EinsumOp>(lhsEquation, g, op.getRhs()),
          g.build<nn::EinsumOp>(rhsEquation, op.getLhs(), g)};
}

Gradients ofAttention(nn::AttentionOp op, Term g) {
  auto gradient =
      g.build<nn::AttentionGradOp>(op.getCausal(), op.getQuery(), op.getKey(),
                                   op.getValue(), g, op.getScale());
  return {gradient.getQueryGradient(), gradient.getKeyGradient(),
          gradient.getValueGradient()};
}

// ---- Reduce -----------------------------------------------------------------

/// Returns the gradient of the elements that attain the extremum: an equal
/// share of `g` for each. The extremum is computed again from the elements with
/// which it is compared. The extremum of the forward program may differ from
/// all elements: if they are sums, the forward program may have added up their
/// terms in another order.
Term shareAmongTies(nn::ReduceOp op, Term g) {
  auto extremum =
      g.build<nn::ReduceOp>(op.getKind(), op.getInput(), op.getDims(),
                            /*keep=*/true, /*count=*/nullptr);
  Term isExtreme = isEqual(g.at(op.getInput()), g.at(extremum));
  auto ones = g.build<nn::CastOp>(op.getInput().getType(), isExtreme);
  auto count = g.build<nn::ReduceOp>(nn::ReduceKind::Sum, ones, op.getDims(),
                                     /*keep=*/true, /*count=*/nullptr);
  return select(isExtreme, g / g.at(count), g.scalar(0.0));
}

Gradients ofReduce(nn::ReduceOp op, Term g) {
  SmallVector<int64_t> kept(g.at(op.getInput()).shape());
  for (int64_t dim : op.getDims()) kept[dim] = 1;
  switch (op.getKind()) {
    case nn::ReduceKind::Max:
    case nn::ReduceKind::Min:
      return {shareAmongTies(op, g.reshaped(kept))};
    case nn::ReduceKind::Mean:
      g = (1.0 / op.getDivisor()) * g;
      break;
    case nn::ReduceKind::Sum:
      break;
  }
  return {g.build<nn::BroadcastOp>(op.getInput().getType(), g.reshaped(kept))};
}

// ---- Normalisations ---------------------------------------------------------

Gradients ofSoftmax(nn::SoftmaxOp op, Term g) {
  return {g.build<nn::SoftmaxGradOp>(op.getResult(), g, op.getDim())};
}

Gradients ofLogSoftmax(nn::LogSoftmaxOp op, Term g) {
  return {g.build<nn::LogSoftmaxGradOp>(op.getResult(), g, op.getDim())};
}

Gradients ofLayerNorm(nn::LayerNormOp op, Term g) {
  auto gradient = g.build<nn::LayerNormGradOp>(op.getInput(), op.getGamma(), g,
                                               op.getEpsilon());
  return {gradient.getInputGradient(), gradient.getGammaGradient(),
          gradient.getBetaGradient()};
}

Gradients ofRmsNorm(nn::RmsNormOp op, Term g) {
  auto gradient = g.build<nn::RmsNormGradOp>(op.getInput(), op.getGamma(), g,
                                             op.getEpsilon());
  return {gradient.getInputGradient(), gradient.getGammaGradient()};
}

// ---- Look-up ----------------------------------------------------------------

Gradients ofEmbedding(nn::EmbeddingOp op, Term g) {
  return {g.build<nn::EmbeddingGradOp>(op.getTable().getType(), op.getIndices(),
                                       g, op.getFirstRow())};
}

}  // namespace

void attachTensorAdjoints(MLIRContext* context) {
  attachAdjoints<ofEinsum, ofAttention, ofReduce, ofSoftmax, ofLogSoftmax,
                 ofLayerNorm, ofRmsNorm, ofEmbedding>(context);
}

}  // namespace sbp
