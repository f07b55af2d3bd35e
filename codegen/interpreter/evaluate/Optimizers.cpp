// The optimiser ops, as dialects/nn/NnTrainingOps.td defines them.

#include <cmath>

#include "codegen/interpreter/evaluate/AddEvaluators.h"
#include "dialects/nn/Nn.h"

namespace sbp::interpreter {
namespace {

Tensor evaluateSgd(nn::SgdOp op, ArrayRef<Tensor> operands) {
  ArrayRef<double> parameter = operands[0].floats();
  ArrayRef<double> gradient = operands[1].floats();
  double learningRate = operands[2].scalar();
  double decay = op.getWeightDecay().convertToDouble();
  std::vector<double> updated;
  for (auto [w, g] : llvm::zip(parameter, gradient))
    updated.push_back(w - learningRate * (g + decay * w));
  return Tensor(resultType(op), std::move(updated));
}

Results evaluateMomentum(nn::MomentumOp op, ArrayRef<Tensor> operands) {
  double learningRate = operands[3].scalar();
  double momentum = op.getMomentum().convertToDouble();
  double decay = op.getWeightDecay().convertToDouble();
  std::vector<double> updated, updatedVelocity;
  for (auto [w, g, v] : llvm::zip(operands[0].floats(), operands[1].floats(),
                                  operands[2].floats())) {
    double velocity = momentum * v + g + decay * w;
    updated.push_back(w - learningRate * velocity);
    updatedVelocity.push_back(velocity);
  }
  return {Tensor(resultType(op, 0), std::move(updated)),
          Tensor(resultType(op, 1), std::move(updatedVelocity))};
}

Results evaluateAdam(nn::AdamOp op, ArrayRef<Tensor> operands) {
  double firstCorrection = operands[4].scalar();
  double secondCorrection = operands[5].scalar();
  double learningRate = operands[6].scalar();
  double beta1 = op.getBeta1().convertToDouble();
  double beta2 = op.getBeta2().convertToDouble();
  double epsilon = op.getEpsilon().convertToDouble();
  double decay = op.getWeightDecay().convertToDouble();
  std::vector<double> updated, updatedFirst, updatedSecond;
  for (auto [w, gradient, m, v] :
       llvm::zip(operands[0].floats(), operands[1].floats(),
                 operands[2].floats(), operands[3].floats())) {
    double g = op.getDecoupled() ? gradient : gradient + decay * w;
    double decayed = op.getDecoupled() ? w - learningRate * decay * w : w;
    double first = beta1 * m + (1 - beta1) * g;
    double second = beta2 * v + (1 - beta2) * g * g;
    updated.push_back(decayed -
                      learningRate * (first / firstCorrection) /
                          (std::sqrt(second / secondCorrection) + epsilon));
    updatedFirst.push_back(first);
    updatedSecond.push_back(second);
  }
  return {Tensor(resultType(op, 0), std::move(updated)),
          Tensor(resultType(op, 1), std::move(updatedFirst)),
          Tensor(resultType(op, 2), std::move(updatedSecond))};
}

}  // namespace

void addOptimizerEvaluators(Evaluators& evaluators) {
  evaluators.add<nn::SgdOp>(evaluateSgd);
  evaluators.add<nn::MomentumOp>(evaluateMomentum);
  evaluators.add<nn::AdamOp>(evaluateAdam);
}

}  // namespace sbp::interpreter
