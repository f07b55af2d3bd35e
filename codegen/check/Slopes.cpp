#include "codegen/check/Slopes.h"

#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/RandomTensor.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::check {

using interpreter::Tensor;

namespace {

/// Largest number of elements of an operand that are moved.
constexpr int64_t kMostMoved = 32;

}  // namespace

Loss::Loss(Operation* op, const interpreter::Evaluators& evaluators)
    : op_(op), evaluator_(*evaluators.find(op)) {
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    weights_.push_back(interpreter::randomTensor(
        llvm::cast<RankedTensorType>(type),
        interpreter::CountedRandom(index, "weights"), /*integerBound=*/2));
}

SmallVector<Tensor> Loss::weights() const {
  SmallVector<Tensor> floats;
  for (const Tensor& weight : weights_)
    if (weight.isFloat()) floats.push_back(weight);
  return floats;
}

template <typename Map>
double Loss::sum(ArrayRef<Tensor> results, Map map) const {
  double total = 0;
  for (auto [weight, result] : llvm::zip(weights_, results))
    if (weight.isFloat())
      for (int64_t i = 0; i < weight.numElements(); ++i)
        total += map(weight.floats()[i] * result.floats()[i]);
  return total;
}

FailureOr<double> Loss::at(ArrayRef<Tensor> operands) const {
  FailureOr<interpreter::Results> results = evaluator_(op_, operands);
  if (failed(results)) return failure();
  return sum(*results, [](double term) { return term; });
}

double Loss::magnitude(ArrayRef<Tensor> results) const {
  return sum(results, [](double term) { return std::abs(term); });
}

FailureOr<Slopes> slopesIn(int64_t element, const Loss& loss,
                           const Sample& sample, size_t operand, double step) {
  std::vector<Tensor> operands = sample.operands;
  const Tensor original = operands[operand];
  const FailureOr<double> here = loss.at(operands);
  if (failed(here)) return failure();
  Slopes found;
  found.element = element;
  const double value = original.floats()[element];
  for (const double direction : {-1.0, 1.0}) {
    std::vector<double> moved(original.floats());
    moved[element] += direction * step;
    operands[operand] = Tensor(original.type(), moved);
    const double distance = operands[operand].floats()[element] - value;
    const FailureOr<double> there = loss.at(operands);
    if (failed(there)) return failure();
    (direction < 0 ? found.left : found.right) = (*there - *here) / distance;
    found.step = std::abs(distance);
  }
  return found;
}

FailureOr<std::vector<Slopes>> slopesAt(const Loss& loss, const Sample& sample,
                                        size_t operand, double step) {
  const int64_t numElements = sample.operands[operand].numElements();
  std::vector<Slopes> slopes;
  const int64_t stride = std::max<int64_t>(1, numElements / kMostMoved);
  for (int64_t element = 0; element < numElements; element += stride) {
    FailureOr<Slopes> found = slopesIn(element, loss, sample, operand, step);
    if (failed(found)) return failure();
    slopes.push_back(*found);
  }
  return slopes;
}

bool agree(const Slopes& first, const Slopes& second, double allowed) {
  const auto [low, high] = std::minmax(first.left, first.right);
  const auto [otherLow, otherHigh] = std::minmax(second.left, second.right);
  return low - allowed <= otherHigh && otherLow - allowed <= high;
}

}  // namespace sbp::check
