#include "test/properties/TrainingStep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "codegen/interpreter/Interpreter.h"
#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/RankGrid.h"
#include "dialects/nn/Nn.h"

namespace sbp::properties {

using interpreter::Evaluators;
using interpreter::Parameters;
using interpreter::Results;
using interpreter::Tensor;

namespace {

constexpr llvm::StringLiteral kTrainStep = "train_step";
constexpr llvm::StringLiteral kLoss = "loss";

}  // namespace

FailureOr<TrainingStep> stepOnOneDevice(ModuleOp differentiated,
                                        ArrayRef<Tensor> arguments,
                                        uint64_t seed,
                                        const Evaluators& evaluators) {
  Parameters parameters = interpreter::initialParameters(differentiated, seed);
  interpreter::Interpreter interpreter(differentiated, evaluators, parameters);
  FailureOr<Results> results = interpreter.run(kTrainStep, arguments);
  if (failed(results)) return failure();
  return TrainingStep{results->front(), parameters};
}

FailureOr<TrainingStep> stepOnRanks(ModuleOp local, ArrayRef<Tensor> arguments,
                                    uint64_t seed) {
  FailureOr<interpreter::RankGrid> grid =
      interpreter::RankGrid::create(local, interpreter::standardEvaluators());
  if (failed(grid) || failed(grid->initializeParameters(seed)))
    return failure();
  FailureOr<Results> results = grid->runWhole(kTrainStep, arguments, seed);
  if (failed(results)) return failure();
  FailureOr<Parameters> parameters = grid->wholeParameters();
  if (failed(parameters)) return failure();
  return TrainingStep{results->front(), *parameters};
}

FailureOr<Tensor> lossOnRanks(ModuleOp local, ArrayRef<Tensor> arguments,
                              uint64_t seed) {
  FailureOr<interpreter::RankGrid> grid =
      interpreter::RankGrid::create(local, interpreter::standardEvaluators());
  if (failed(grid) || failed(grid->initializeParameters(seed)))
    return failure();
  auto entry = grid->wholeEntry(kLoss);
  if (failed(entry)) return failure();
  FailureOr<Results> results = grid->runWhole(
      kLoss, arguments.take_front(entry->getNumArguments()), seed);
  if (failed(results)) return failure();
  return results->front();
}

// ---- Rounding errors --------------------------------------------------------

namespace {

double largestMagnitude(const Tensor& tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    largest = std::max(largest, std::abs(tensor.asDouble(i)));
  return largest;
}

/// Whether `op` computes without rounding errors, such as an op that moves,
/// negates or selects elements. A cast counts as such an op as well.
bool isExact(Operation* op) {
  if (auto reduce = llvm::dyn_cast<nn::ReduceOp>(op))
    return reduce.getKind() == nn::ReduceKind::Max ||
           reduce.getKind() == nn::ReduceKind::Min;
  return llvm::isa<nn::NegOp, nn::ReluOp, nn::MaxOp, nn::MinOp, nn::SelectOp,
                   nn::CastOp, nn::ReshapeOp, nn::TransposeOp, nn::BroadcastOp,
                   nn::SliceOp, nn::PadOp, nn::ConcatOp, nn::ConstantOp,
                   nn::IotaOp, nn::EmbeddingOp>(op);
}

}  // namespace

Evaluators inexactEvaluators(MLIRContext* context, uint64_t seed,
                             double relativeError) {
  auto exact = std::make_shared<Evaluators>(interpreter::standardEvaluators());
  auto drawn = std::make_shared<int64_t>(0);
  auto evaluate = [=](Operation* op,
                      ArrayRef<Tensor> operands) -> FailureOr<Results> {
    FailureOr<Results> results = (*exact->find(op))(op, operands);
    if (failed(results) || isExact(op)) return results;
    interpreter::CountedRandom random(seed, "rounding");
    double scale = 0;
    for (const Tensor& operand : operands)
      scale = std::max(scale, largestMagnitude(operand));
    for (Tensor& result : *results) {
      if (!result.isFloat()) continue;
      double error = relativeError * std::max(scale, largestMagnitude(result));
      std::vector<double> elements(result.floats());
      for (double& element : elements)
        element += error * (2 * random.uniform((*drawn)++) - 1);
      result = Tensor(result.type(), std::move(elements));
    }
    return results;
  };
  Evaluators inexact = *exact;
  for (mlir::RegisteredOperationName name : context->getRegisteredOperations())
    if (name.getDialectNamespace() == nn::NnDialect::getDialectNamespace())
      inexact.add(name.getStringRef(), evaluate);
  return inexact;
}

// ---- Comparison -------------------------------------------------------------

namespace {

double distance(const Tensor& actual, const Tensor& expected) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (actual.type() != expected.type()) return kInfinity;
  double scale = std::max(1e-3, largestMagnitude(expected));
  double largest = 0;
  for (int64_t i = 0; i < expected.numElements(); ++i) {
    double a = actual.asDouble(i);
    double b = expected.asDouble(i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    double difference = std::abs(a - b) / scale;
    if (!std::isfinite(difference)) return kInfinity;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace

double distance(const TrainingStep& actual, const TrainingStep& expected,
                std::string* where) {
  double largest = distance(actual.loss, expected.loss);
  *where = "the loss";
  for (const auto& [name, value] : expected.parameters) {
    auto found = actual.parameters.find(name);
    double far = found == actual.parameters.end()
                     ? std::numeric_limits<double>::infinity()
                     : distance(found->second, value);
    if (far <= largest) continue;
    largest = far;
    *where = "@" + name;
  }
  return largest;
}

}  // namespace sbp::properties
