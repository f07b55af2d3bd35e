// Losses: mean errors of predictions over examples.

#include <cmath>
#include <limits>

#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "dialects/nn/Nn.h"

namespace sbp::interpreter {
namespace {

/// Returns log_softmax of row `row` of logits of shape [..., numClasses].
std::vector<double> logProbabilities(ArrayRef<double> logits, int64_t row,
                                     int64_t numClasses) {
  ArrayRef<double> x = logits.slice(row * numClasses, numClasses);
  double highest = -std::numeric_limits<double>::infinity();
  for (double element : x) highest = std::max(highest, element);
  double sum = 0;
  for (double element : x) sum += std::exp(element - highest);
  std::vector<double> result;
  for (double element : x) result.push_back(element - highest - std::log(sum));
  return result;
}

bool isClass(int64_t label, int64_t numClasses) {
  return label >= 0 && label < numClasses;
}

Tensor evaluateCrossEntropy(nn::CrossEntropyOp op, ArrayRef<Tensor> operands) {
  int64_t numClasses = operands[0].shape().back();
  double sum = 0;
  for (auto [row, label] : llvm::enumerate(operands[1].integers())) {
    std::vector<double> logs =
        logProbabilities(operands[0].floats(), row, numClasses);
    // The loss of a label that is no class is NaN.
    sum -= isClass(label, numClasses)
               ? logs[label]
               : std::numeric_limits<double>::quiet_NaN();
  }
  return Tensor(resultType(op), std::vector<double>{sum / op.getDivisor()});
}

Tensor evaluateCrossEntropyGrad(nn::CrossEntropyGradOp op,
                                ArrayRef<Tensor> operands) {
  int64_t numClasses = operands[0].shape().back();
  double scale = operands[2].scalar() / op.getDivisor();
  std::vector<double> result;
  for (auto [row, label] : llvm::enumerate(operands[1].integers())) {
    std::vector<double> logs =
        logProbabilities(operands[0].floats(), row, numClasses);
    for (int64_t column = 0; column < numClasses; ++column) {
      double oneHot = column == label ? 1 : 0;
      result.push_back(scale * (std::exp(logs[column]) - oneHot));
    }
  }
  return Tensor(resultType(op), std::move(result));
}

Tensor evaluateMse(nn::MseOp op, ArrayRef<Tensor> operands) {
  double sum = 0;
  for (auto [a, b] : llvm::zip(operands[0].floats(), operands[1].floats()))
    sum += (a - b) * (a - b);
  return Tensor(resultType(op), std::vector<double>{sum / op.getDivisor()});
}

}  // namespace

void addLossEvaluators(Evaluators& evaluators) {
  evaluators.add<nn::CrossEntropyOp>(evaluateCrossEntropy);
  evaluators.add<nn::CrossEntropyGradOp>(evaluateCrossEntropyGrad);
  evaluators.add<nn::MseOp>(evaluateMse);
}

}  // namespace sbp::interpreter
