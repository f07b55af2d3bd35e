// Softmax and its logarithm, layer norm, RMS norm, and the gradients of all
// four.

#include <cmath>
#include <limits>

#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "codegen/interpreter/evaluate/Rows.h"
#include "dialects/nn/Nn.h"

namespace sbp::interpreter {
namespace {

// ---- Softmax ----------------------------------------------------------------

/// Returns log(sum exp(x)) of a row, computed relative to its largest element.
double logSumExp(const Row& row, ArrayRef<double> x) {
  double highest = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < row.extent; ++i)
    highest = std::max(highest, x[row.at(i)]);
  double sum = 0;
  for (int64_t i = 0; i < row.extent; ++i)
    sum += std::exp(x[row.at(i)] - highest);
  return highest + std::log(sum);
}

Tensor evaluateLogSoftmax(nn::LogSoftmaxOp op, ArrayRef<Tensor> operands) {
  ArrayRef<double> x = operands[0].floats();
  std::vector<double> y(x.size());
  forEachRow(operands[0].shape(), op.getDim(), [&](const Row& row) {
    double total = logSumExp(row, x);
    for (int64_t i = 0; i < row.extent; ++i)
      y[row.at(i)] = x[row.at(i)] - total;
  });
  return Tensor(resultType(op), std::move(y));
}

Tensor evaluateSoftmax(nn::SoftmaxOp op, ArrayRef<Tensor> operands) {
  ArrayRef<double> x = operands[0].floats();
  std::vector<double> y(x.size());
  forEachRow(operands[0].shape(), op.getDim(), [&](const Row& row) {
    double total = logSumExp(row, x);
    for (int64_t i = 0; i < row.extent; ++i)
      y[row.at(i)] = std::exp(x[row.at(i)] - total);
  });
  return Tensor(resultType(op), std::move(y));
}

Tensor evaluateSoftmaxGrad(nn::SoftmaxGradOp op, ArrayRef<Tensor> operands) {
  ArrayRef<double> y = operands[0].floats();
  ArrayRef<double> g = operands[1].floats();
  std::vector<double> result(y.size());
  forEachRow(operands[0].shape(), op.getDim(), [&](const Row& row) {
    double sum = 0;
    for (int64_t i = 0; i < row.extent; ++i) sum += g[row.at(i)] * y[row.at(i)];
    for (int64_t i = 0; i < row.extent; ++i)
      result[row.at(i)] = y[row.at(i)] * (g[row.at(i)] - sum);
  });
  return Tensor(resultType(op), std::move(result));
}

Tensor evaluateLogSoftmaxGrad(nn::LogSoftmaxGradOp op,
                              ArrayRef<Tensor> operands) {
  ArrayRef<double> y = operands[0].floats();
  ArrayRef<double> g = operands[1].floats();
  std::vector<double> result(y.size());
  forEachRow(operands[0].shape(), op.getDim(), [&](const Row& row) {
    double sum = 0;
    for (int64_t i = 0; i < row.extent; ++i) sum += g[row.at(i)];
    for (int64_t i = 0; i < row.extent; ++i)
      result[row.at(i)] = g[row.at(i)] - std::exp(y[row.at(i)]) * sum;
  });
  return Tensor(resultType(op), std::move(result));
}

// ---- Layer norm and RMS norm ------------------------------------------------

/// The normalisation of a row: (x - center) * scale.
struct Moments {
  double center = 0;
  double scale = 1;
};

/// Returns layer norm's moments: it subtracts the mean and scales a row to
/// variance 1.
Moments layerNormMoments(const Row& row, ArrayRef<double> x, double epsilon) {
  double mean = 0, variance = 0;
  for (int64_t i = 0; i < row.extent; ++i) mean += x[row.at(i)] / row.extent;
  for (int64_t i = 0; i < row.extent; ++i)
    variance += std::pow(x[row.at(i)] - mean, 2) / row.extent;
  return {mean, 1 / std::sqrt(variance + epsilon)};
}

/// Returns RMS norm's moments: it subtracts nothing and scales a row to mean
/// square 1.
Moments rmsNormMoments(const Row& row, ArrayRef<double> x, double epsilon) {
  double square = 0;
  for (int64_t i = 0; i < row.extent; ++i)
    square += std::pow(x[row.at(i)], 2) / row.extent;
  return {0, 1 / std::sqrt(square + epsilon)};
}

using MomentsOf = Moments (*)(const Row&, ArrayRef<double>, double epsilon);

/// Returns (x - center) * scale * gamma, plus beta if there is one.
template <typename NormOp>
Tensor evaluateNorm(NormOp op, ArrayRef<Tensor> operands, MomentsOf momentsOf) {
  ArrayRef<double> x = operands[0].floats();
  ArrayRef<double> gamma = operands[1].floats();
  double epsilon = op.getEpsilon().convertToDouble();
  std::vector<double> y(x.size());
  int64_t last = operands[0].rank() - 1;
  forEachRow(operands[0].shape(), last, [&](const Row& row) {
    Moments moments = momentsOf(row, x, epsilon);
    for (int64_t i = 0; i < row.extent; ++i) {
      y[row.at(i)] = (x[row.at(i)] - moments.center) * moments.scale * gamma[i];
      if (operands.size() > 2) y[row.at(i)] += operands[2].floats()[i];
    }
  });
  return Tensor(resultType(op), std::move(y));
}

// With n = (x - center) * scale, and h = gradient * gamma:
//
//   dgamma += gradient * n      dbeta += gradient
//   dx = scale * (h - mean(h) - n * mean(h * n))
//
// where mean(h) is the gradient through the centre; RMS norm has no centre and
// no such term.
template <typename NormGradOp>
Results evaluateNormGrad(NormGradOp op, ArrayRef<Tensor> operands,
                         MomentsOf momentsOf, bool isCentered) {
  ArrayRef<double> x = operands[0].floats();
  ArrayRef<double> gamma = operands[1].floats();
  ArrayRef<double> gradient = operands[2].floats();
  double epsilon = op.getEpsilon().convertToDouble();
  std::vector<double> inputGradient(x.size());
  std::vector<double> gammaGradient(gamma.size(), 0);
  std::vector<double> betaGradient(gamma.size(), 0);

  int64_t last = operands[0].rank() - 1;
  forEachRow(operands[0].shape(), last, [&](const Row& row) {
    Moments moments = momentsOf(row, x, epsilon);
    auto normalized = [&](int64_t i) {
      return (x[row.at(i)] - moments.center) * moments.scale;
    };
    double mean = 0, alignment = 0;
    for (int64_t i = 0; i < row.extent; ++i) {
      double g = gradient[row.at(i)];
      gammaGradient[i] += g * normalized(i);
      betaGradient[i] += g;
      if (isCentered) mean += g * gamma[i] / row.extent;
      alignment += g * gamma[i] * normalized(i) / row.extent;
    }
    for (int64_t i = 0; i < row.extent; ++i)
      inputGradient[row.at(i)] =
          moments.scale *
          (gradient[row.at(i)] * gamma[i] - mean - normalized(i) * alignment);
  });
  Results results = {Tensor(resultType(op, 0), std::move(inputGradient)),
                     Tensor(resultType(op, 1), std::move(gammaGradient))};
  if (op->getNumResults() > 2)
    results.push_back(Tensor(resultType(op, 2), std::move(betaGradient)));
  return results;
}

}  // namespace

void addNormalizationEvaluators(Evaluators& evaluators) {
  evaluators.add<nn::SoftmaxOp>(evaluateSoftmax);
  evaluators.add<nn::LogSoftmaxOp>(evaluateLogSoftmax);
  evaluators.add<nn::SoftmaxGradOp>(evaluateSoftmaxGrad);
  evaluators.add<nn::LogSoftmaxGradOp>(evaluateLogSoftmaxGrad);

  evaluators.add<nn::LayerNormOp>(
      [](nn::LayerNormOp op, ArrayRef<Tensor> operands) {
        return evaluateNorm(op, operands, layerNormMoments);
      });
  evaluators.add<nn::RmsNormOp>(
      [](nn::RmsNormOp op, ArrayRef<Tensor> operands) {
        return evaluateNorm(op, operands, rmsNormMoments);
      });
  evaluators.add<nn::LayerNormGradOp>(
      [](nn::LayerNormGradOp op, ArrayRef<Tensor> operands) {
        return evaluateNormGrad(op, operands, layerNormMoments,
                                /*isCentered=*/true);
      });
  evaluators.add<nn::RmsNormGradOp>([](nn::RmsNormGradOp op,
                                       ArrayRef<Tensor> operands) {
    return evaluateNormGrad(op, operands, rmsNormMoments, /*isCentered=*/false);
  });
}

}  // namespace sbp::interpreter
