// Variances of channels, batch normalisation, and its gradient.

#include <cmath>
#include <vector>

#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "codegen/interpreter/evaluate/Walk.h"
#include "dialects/nn/Nn.h"

namespace sbp::interpreter {
namespace {

/// Calls `visit` with the offset of each element of a tensor [N, C, ...], and
/// its channel.
template <typename Visit>
void forChannels(ArrayRef<int64_t> shape, Visit visit) {
  Strides channel(shape.size(), 0);
  channel[1] = 1;
  walk(shape, std::array{rowMajorStrides(shape), channel},
       [&](auto at) { visit(at[0], at[1]); });
}

Tensor evaluateBatchVariance(nn::BatchVarianceOp op,
                             ArrayRef<Tensor> operands) {
  ArrayRef<double> x = operands[0].floats();
  ArrayRef<double> center = operands[1].floats();
  std::vector<double> result(center.size(), 0);
  forChannels(operands[0].shape(), [&](int64_t i, int64_t c) {
    result[c] += std::pow(x[i] - center[c], 2) / op.getDivisor();
  });
  return Tensor(resultType(op), std::move(result));
}

Tensor evaluateBatchNorm(nn::BatchNormOp op, ArrayRef<Tensor> operands) {
  ArrayRef<double> x = operands[0].floats();
  ArrayRef<double> mean = operands[1].floats();
  ArrayRef<double> variance = operands[2].floats();
  ArrayRef<double> gamma = operands[3].floats();
  ArrayRef<double> beta = operands[4].floats();
  double epsilon = op.getEpsilon().convertToDouble();
  std::vector<double> result(x.size());
  forChannels(operands[0].shape(), [&](int64_t i, int64_t c) {
    result[i] = (x[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * gamma[c] +
                beta[c];
  });
  return Tensor(resultType(op), std::move(result));
}

Results evaluateBatchNormSums(nn::BatchNormSumsOp op,
                              ArrayRef<Tensor> operands) {
  ArrayRef<double> x = operands[0].floats();
  ArrayRef<double> mean = operands[1].floats();
  ArrayRef<double> gradient = operands[2].floats();
  std::vector<double> products(mean.size(), 0), sums(mean.size(), 0);
  forChannels(operands[0].shape(), [&](int64_t i, int64_t c) {
    products[c] += gradient[i] * (x[i] - mean[c]);
    sums[c] += gradient[i];
  });
  return {Tensor(resultType(op, 0), std::move(products)),
          Tensor(resultType(op, 1), std::move(sums))};
}

Tensor evaluateBatchNormGrad(nn::BatchNormGradOp op,
                             ArrayRef<Tensor> operands) {
  ArrayRef<double> x = operands[0].floats();
  ArrayRef<double> mean = operands[1].floats();
  ArrayRef<double> variance = operands[2].floats();
  ArrayRef<double> gamma = operands[3].floats();
  ArrayRef<double> gradient = operands[4].floats();
  ArrayRef<double> products = operands[5].floats();
  ArrayRef<double> sums = operands[6].floats();
  double epsilon = op.getEpsilon().convertToDouble();
  std::vector<double> result(x.size());
  forChannels(operands[0].shape(), [&](int64_t i, int64_t c) {
    double scale = 1 / std::sqrt(variance[c] + epsilon);
    double common = sums[c] + (x[i] - mean[c]) * scale * scale * products[c];
    result[i] = gamma[c] * scale * (gradient[i] - common / op.getDivisor());
  });
  return Tensor(resultType(op), std::move(result));
}

}  // namespace

void addBatchNormEvaluators(Evaluators& evaluators) {
  evaluators.add<nn::BatchVarianceOp>(evaluateBatchVariance);
  evaluators.add<nn::BatchNormOp>(evaluateBatchNorm);
  evaluators.add<nn::BatchNormSumsOp>(evaluateBatchNormSums);
  evaluators.add<nn::BatchNormGradOp>(evaluateBatchNormGrad);
}

}  // namespace sbp::interpreter
