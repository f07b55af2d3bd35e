#include "codegen/check/CheckAdjoint.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "codegen/check/Counterexample.h"
#include "codegen/check/Difference.h"
#include "codegen/check/Slopes.h"
#include "codegen/interpreter/Interpreter.h"
#include "dialects/nn/DifferentiableOp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "passes/diagnostics/HeldDiagnostics.h"

namespace sbp::check {
namespace {

using interpreter::Tensor;

/// Step of the differences. A longer step has a larger error by curvature, a
/// shorter one by rounding to f32.
constexpr double kStep = 1.0 / 64;
/// Shorter steps, for elements in which L bends within a step.
constexpr double kShorterSteps[] = {kStep / 8, kStep / 64};
/// Share of the largest slope by which a gradient may be wrong.
constexpr double kTolerance = 1e-2;
/// Rounding errors of L, relative to the sum of the magnitudes of its terms
/// plus the largest magnitude of the operands.
constexpr double kRounding = 4e-7;
constexpr llvm::StringLiteral kFunction = "adjoint";

bool isFloat(Type type) {
  return llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
}

/// The adjoint of an op, as a function of the op's operands and of the
/// gradients of its floating-point results.
struct Adjoint {
  mlir::OwningOpRef<ModuleOp> module;
  /// For each result of the function, the operand whose gradient it is.
  SmallVector<size_t> operands;
};

/// Builds the adjoint of `op`; nullopt if the op has no gradient.
std::optional<Adjoint> buildAdjoint(Operation* op) {
  Adjoint adjoint;
  adjoint.module = ModuleOp::create(op->getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(adjoint.module->getBody());
  SmallVector<Type> arguments(op->getOperandTypes());
  for (Type type : op->getResultTypes())
    if (isFloat(type)) arguments.push_back(type);
  auto function = mlir::func::FuncOp::create(
      builder, op->getLoc(), kFunction, builder.getFunctionType(arguments, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());

  mlir::IRMapping mapping;
  ValueRange given = function.getArguments();
  mapping.map(op->getOperands(), given.take_front(op->getNumOperands()));
  Operation* copy = builder.clone(*op, mapping);
  SmallVector<Value> resultGradients;
  size_t next = op->getNumOperands();
  for (Type type : op->getResultTypes())
    resultGradients.push_back(isFloat(type) ? given[next++] : Value());
  SmallVector<Value> gradients(op->getNumOperands());
  if (failed(llvm::cast<nn::DifferentiableOpInterface>(copy).buildAdjoint(
          builder, resultGradients, gradients)))
    return std::nullopt;

  SmallVector<Value> results;
  for (auto [operand, gradient] : llvm::enumerate(gradients))
    if (gradient && isFloat(op->getOperand(operand).getType())) {
      adjoint.operands.push_back(operand);
      results.push_back(gradient);
    }
  mlir::func::ReturnOp::create(builder, op->getLoc(), results);
  function.setFunctionType(
      builder.getFunctionType(arguments, ValueRange(results).getTypes()));
  return adjoint;
}

/// Returns `gradient` summed over the dimensions in which a tensor of `type` is
/// broadcast to the shape of `gradient`. Returns nullopt if `type` cannot be
/// broadcast to this shape, or if the element types differ.
std::optional<Tensor> summedTo(RankedTensorType type, const Tensor& gradient) {
  const ArrayRef<int64_t> from = gradient.shape(), to = type.getShape();
  if (gradient.elementType() != type.getElementType() ||
      from.size() < to.size())
    return std::nullopt;
  const size_t added = from.size() - to.size();
  for (size_t dim = 0; dim < to.size(); ++dim)
    if (to[dim] != from[added + dim] && to[dim] != 1) return std::nullopt;
  std::vector<double> sums(type.getNumElements());
  for (int64_t i = 0; i < gradient.numElements(); ++i) {
    int64_t rest = i, element = 0, stride = 1;
    for (size_t dim = from.size(); dim-- > added;) {
      const int64_t extent = to[dim - added];
      element += rest % from[dim] % extent * stride;
      stride *= extent;
      rest /= from[dim];
    }
    sums[element] += gradient.floats()[i];
  }
  return Tensor(type, std::move(sums));
}

/// The error that slopes may have.
struct Allowance {
  double largest;   // of the slopes of an operand
  double rounding;  // of L

  double in(const Slopes& slopes) const {
    return kTolerance * std::max(largest, slopes.largest()) +
           rounding / slopes.step;
  }
};

/// Whether `gradient` can be the derivative of `loss` in `slopes.element`
/// although `slopes` do not admit it. Tries shorter steps until the slopes of
/// two steps agree, and decides by them. If no two agree, L bends within each
/// step, and any gradient is accepted.
FailureOr<bool> canBe(double gradient, Slopes slopes, const Loss& loss,
                      const Sample& sample, size_t operand,
                      const Allowance& allowance) {
  for (const double step : kShorterSteps) {
    const FailureOr<Slopes> finer =
        slopesIn(slopes.element, loss, sample, operand, step);
    if (failed(finer)) return failure();
    if (!finer->isFinite()) return true;
    const double allowed = allowance.in(*finer);
    if (finer->admits(gradient, allowed)) return true;
    if (agree(slopes, *finer, allowed)) return false;
    slopes = *finer;
  }
  return true;
}

/// Compares `gradient` of operand `operand` with slopes at `sample`.
LogicalResult checkGradient(Operation* op, const Loss& loss,
                            const Sample& sample, size_t operand,
                            const std::optional<Tensor>& gradient) {
  const FailureOr<std::vector<Slopes>> slopes =
      slopesAt(loss, sample, operand, kStep);
  if (failed(slopes)) return failure();
  Allowance allowance{0, kRounding * (loss.magnitude(sample.results) +
                                      largestMagnitude(sample.operands))};
  for (const Slopes& slope : *slopes)
    if (std::isfinite(slope.largest()))
      allowance.largest = std::max(allowance.largest, slope.largest());
  for (const Slopes& slope : *slopes) {
    const double actual = gradient ? gradient->floats()[slope.element] : 0;
    if (!slope.isFinite() || slope.admits(actual, allowance.in(slope)))
      continue;
    const FailureOr<bool> isRight =
        canBe(actual, slope, loss, sample, operand, allowance);
    if (failed(isRight)) return failure();
    if (*isRight) continue;
    mlir::InFlightDiagnostic diagnostic = counterexample(op, sample.operands);
    if (gradient)
      diagnostic << "has an adjoint whose gradient of operand " << operand
                 << " is wrong: in element " << slope.element << " it is "
                 << actual;
    else
      diagnostic << "has an adjoint that leaves out the gradient of operand "
                 << operand << ": in element " << slope.element
                 << " it counts as 0";
    return diagnostic << ", while finite differences give "
                      << (slope.left + slope.right) / 2;
  }
  return success();
}

/// Runs `adjoint` at `sample` and checks all gradients.
LogicalResult checkAt(Operation* op, const Adjoint& adjoint, const Loss& loss,
                      const Sample& sample,
                      const interpreter::Evaluators& evaluators) {
  SmallVector<Tensor> arguments(ArrayRef<Tensor>(sample.operands));
  llvm::append_range(arguments, loss.weights());
  interpreter::Parameters parameters;
  interpreter::Interpreter interpreter(*adjoint.module, evaluators, parameters);
  const FailureOr<interpreter::Results> results =
      interpreter.run(kFunction, arguments);
  if (failed(results)) return failure();

  std::vector<std::optional<Tensor>> gradients(op->getNumOperands());
  for (auto [operand, result] : llvm::zip(adjoint.operands, *results)) {
    auto type = llvm::cast<RankedTensorType>(op->getOperand(operand).getType());
    gradients[operand] = summedTo(type, result);
    if (!gradients[operand])
      return counterexample(op, {})
             << "has an adjoint whose gradient of operand " << operand
             << " is a " << result.type() << "; it must be a " << type
             << ", or one to which that broadcasts";
  }
  for (auto [operand, type] : llvm::enumerate(op->getOperandTypes()))
    if (isFloat(type) &&
        failed(checkGradient(op, loss, sample, operand, gradients[operand])))
      return failure();
  return success();
}

}  // namespace

FailureOr<int64_t> checkAdjoint(Operation* op, ArrayRef<Sample> samples,
                                const interpreter::Evaluators& evaluators) {
  if (!llvm::isa<nn::DifferentiableOpInterface>(op) ||
      llvm::none_of(op->getResultTypes(), isFloat))
    return 0;
  std::optional<Adjoint> adjoint;
  std::string reason;
  {
    HeldDiagnostics held(op->getContext(), HeldDiagnostics::Which::All);
    adjoint = buildAdjoint(op);
    if (!adjoint) return 0;
    if (failed(mlir::verify(*adjoint->module))) reason = reasonOf(held.take());
  }
  if (!reason.empty())
    return counterexample(op, {})
           << "has an adjoint that is refused: " << reason;
  const Loss loss(op, evaluators);
  for (const Sample& sample : samples)
    if (failed(checkAt(op, *adjoint, loss, sample, evaluators)))
      return failure();
  return llvm::count_if(op->getOperandTypes(), isFloat);
}

}  // namespace sbp::check
