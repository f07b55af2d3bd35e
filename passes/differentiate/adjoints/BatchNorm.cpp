// Adjoints of batch normalisation and of the variance that it uses.

#include "dialects/nn/Nn.h"
#include "passes/differentiate/adjoints/Adjoint.h"
#include "passes/differentiate/adjoints/Adjoints.h"

namespace sbp {
namespace {

/// Returns `vector`, which has one element per channel, in a shape that
/// broadcasts to the shape of `input`.
Term perChannel(Term vector, Value input) {
  SmallVector<int64_t> shape(vector.at(input).shape().size() - 1, 1);
  shape[0] = vector.shape()[0];
  return vector.reshaped(shape);
}

/// Returns the dimensions of a tensor [N, C, ...] without C.
SmallVector<int64_t> allButChannels(int64_t rank) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != 1) dims.push_back(dim);
  return dims;
}

// d mean((x - c)^2) = 2 / count * (x - c) * (dx - dc). The gradient of the
// centre c is summed over all dimensions but the channels.
Gradients ofBatchVariance(nn::BatchVarianceOp op, Term g) {
  Value input = op.getInput();
  Term scale = perChannel((2.0 / op.getDivisor()) * g, input);
  Term gradient =
      scale * (g.at(input) - perChannel(g.at(op.getCenter()), input));
  auto sum = g.build<nn::ReduceOp>(nn::ReduceKind::Sum, gradient,
                                   allButChannels(gradient.shape().size()),
                                   /*keep=*/false, /*count=*/nullptr);
  return {gradient, -g.at(sum)};
}

/// Whether the mean and the variance are those of the input: the ops that
/// compute them take the input.
bool normalizesByOwnStatistics(nn::BatchNormOp op) {
  Value input = op.getInput();
  auto mean = op.getMean().getDefiningOp<nn::ReduceOp>();
  auto variance = op.getVariance().getDefiningOp<nn::BatchVarianceOp>();
  int64_t rank = llvm::cast<RankedTensorType>(input.getType()).getRank();
  return mean && mean.getKind() == nn::ReduceKind::Mean &&
         mean.getInput() == input && !mean.getKeep() &&
         mean.getDims() == ArrayRef<int64_t>(allButChannels(rank)) &&
         variance && variance.getInput() == input &&
         variance.getCenter() == op.getMean();
}

// With n = (x - mean) * r and r = 1 / sqrt(variance + epsilon):
//
//   dgamma = sum g * n     dbeta = sum g
//   dmean = -gamma * r * sum g     dvariance = -gamma / 2 * r^2 * sum g * n
//
// If the mean and the variance are those of the input itself, their gradients
// would be added to the gradient of the input. In that case a single op,
// nn.batch_norm_grad, computes the whole gradient of the input and reads the
// input once. The mean and the variance then get no gradients here.
Gradients ofBatchNorm(nn::BatchNormOp op, Term g) {
  Value input = op.getInput();
  auto sums = g.build<nn::BatchNormSumsOp>(input, op.getMean(), g);
  Term products = g.at(sums.getProducts());
  Term total = g.at(sums.getSums());
  Term shifted =
      g.at(op.getVariance()) + total.scalar(op.getEpsilon().convertToDouble());
  Term r = g.at(g.build<nn::RsqrtOp>(shifted));
  Term gammaGradient = products * r;
  if (normalizesByOwnStatistics(op)) {
    auto gradient = g.build<nn::BatchNormGradOp>(
        input, op.getMean(), op.getVariance(), op.getGamma(), g, products,
        total, op.getEpsilon(), /*count=*/nullptr);
    return {gradient, nullptr, nullptr, gammaGradient, total};
  }
  Term scale = g.at(op.getGamma()) * r;
  return {g * perChannel(scale, input), -(scale * total),
          -0.5 * (scale * r * gammaGradient), gammaGradient, total};
}

/// The adjoint of nn.batch_norm. If the mean and the variance are those of the
/// input itself, it has no gradients for them.
struct BatchNormAdjoint
    : AdjointModelOf<BatchNormAdjoint, nn::BatchNormOp, ofBatchNorm> {
  bool hasGradientFor(Operation* op, unsigned operand) const {
    auto norm = llvm::cast<nn::BatchNormOp>(op);
    const bool isStatistic =
        operand == norm.getMeanMutable().getOperandNumber() ||
        operand == norm.getVarianceMutable().getOperandNumber();
    return !isStatistic || !normalizesByOwnStatistics(norm);
  }
};

}  // namespace

void attachBatchNormAdjoints(MLIRContext* context) {
  attachAdjoints<ofBatchVariance>(context);
  nn::BatchNormOp::attachInterface<BatchNormAdjoint>(*context);
}

}  // namespace sbp
