#include "codegen/check/Samples.h"

#include <algorithm>
#include <cmath>

#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/RandomTensor.h"
#include "dialects/nn/IndexOp.h"

namespace sbp::check {
namespace {

using interpreter::Tensor;

/// Maps a normally distributed number to a number of another distribution.
using Distribution = double (*)(double);

double asDrawn(double normal) { return normal; }
double larger(double normal) { return 8 * normal; }
double integral(double normal) { return std::round(1.5 * normal); }
double positive(double normal) { return std::abs(normal) + 0.25; }
double largerPositive(double normal) { return std::abs(8 * normal) + 0.25; }
double fraction(double normal) { return 0.5 + 0.4 * std::tanh(normal); }

/// Returns the number of values that operand `operand` takes, from 0 on.
int64_t integerBound(mlir::OpOperand& operand) {
  if (auto op = llvm::dyn_cast<nn::IndexOpInterface>(operand.getOwner()))
    if (std::optional<int64_t> bound = op.getIndexBound(operand)) return *bound;
  return 2;
}

/// Draws the operands of sample `number`. A scalar integer is `number` + 1,
/// modulo its bound, so that it differs between samples.
std::vector<Tensor> drawOperands(Operation* op, Distribution distribution,
                                 int64_t number) {
  std::vector<Tensor> operands;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const interpreter::CountedRandom random(operand.getOperandNumber(),
                                            op->getName().getStringRef());
    auto type = llvm::cast<RankedTensorType>(operand.get().getType());
    const int64_t bound = std::max<int64_t>(1, integerBound(operand));
    Tensor drawn = interpreter::randomTensor(type, random, bound);
    if (!drawn.isFloat() && type.getRank() == 0)
      drawn = Tensor(type, std::vector<int64_t>{(number + 1) % bound});
    if (drawn.isFloat()) {
      std::vector<double> floats(drawn.floats());
      for (double& element : floats) element = distribution(element);
      drawn = Tensor(drawn.type(), std::move(floats));
    }
    operands.push_back(std::move(drawn));
  }
  return operands;
}

bool hasNan(ArrayRef<Tensor> tensors) {
  return llvm::any_of(tensors, [](const Tensor& tensor) {
    return tensor.isFloat() && llvm::any_of(tensor.floats(), [](double x) {
             return std::isnan(x);
           });
  });
}

FailureOr<Sample> sampleOf(Operation* op, Distribution distribution,
                           int64_t number,
                           const interpreter::Evaluator& evaluator) {
  Sample sample;
  sample.operands = drawOperands(op, distribution, number);
  FailureOr<interpreter::Results> results = evaluator(op, sample.operands);
  if (failed(results)) return failure();
  sample.results = std::move(*results);
  return sample;
}

}  // namespace

FailureOr<std::vector<Sample>> samplesOf(
    Operation* op, const interpreter::Evaluator& evaluator) {
  // A row has a distribution, and the distributions that replace it, in this
  // order, if results are NaN.
  const std::vector<std::vector<Distribution>> kinds = {
      {asDrawn, positive, fraction},
      {larger, largerPositive, fraction},
      {integral, positive, fraction}};
  std::vector<Sample> samples;
  for (const std::vector<Distribution>& kind : kinds)
    for (Distribution distribution : kind) {
      FailureOr<Sample> sample = sampleOf(
          op, distribution, static_cast<int64_t>(samples.size()), evaluator);
      if (failed(sample)) return failure();
      if (distribution != kind.back() && hasNan(sample->results)) continue;
      samples.push_back(std::move(*sample));
      break;
    }
  return samples;
}

}  // namespace sbp::check
