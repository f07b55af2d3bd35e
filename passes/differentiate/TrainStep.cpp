#include "passes/differentiate/TrainStep.h"

#include <optional>

#include "dialects/nn/Nn.h"
#include "passes/differentiate/Activity.h"
#include "passes/differentiate/Backward.h"
#include "passes/differentiate/CallTree.h"
#include "passes/differentiate/Layers.h"
#include "passes/differentiate/MicroBatches.h"
#include "passes/differentiate/Optimizers.h"
#include "passes/differentiate/adjoints/Term.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

constexpr llvm::StringLiteral kTrainStepName = "train_step";
constexpr llvm::StringLiteral kLearningRateName = "lr";
constexpr llvm::StringLiteral kLossName = "loss";

/// Fails when the training step could not be called what it is called, nor its
/// learning rate.
LogicalResult checkNames(FuncOp loss, mlir::SymbolTable& symbols) {
  if (Operation* other = symbols.lookup(kTrainStepName)) {
    mlir::InFlightDiagnostic diagnostic =
        loss.emitOpError() << "is to be trained by @" << kTrainStepName
                           << ", but that name is taken";
    diagnostic.attachNote(other->getLoc())
        << "by this '" << other->getName() << "' op";
    return diagnostic;
  }
  for (mlir::BlockArgument argument : loss.getArguments()) {
    auto name = loss.getArgAttrOfType<mlir::StringAttr>(argument.getArgNumber(),
                                                        nn::kInputAttrName);
    if (name && name.getValue() == kLearningRateName)
      return loss.emitOpError()
             << "calls argument " << argument.getArgNumber() << " \""
             << kLearningRateName
             << "\", which is the learning rate of the training step";
  }
  return success();
}

/// A copy of `loss` that takes the learning rate too, and says who trains.
FuncOp copyAsTrainStep(FuncOp loss, Attribute optimizer,
                       mlir::SymbolTable& symbols) {
  FuncOp step = loss.clone();
  mlir::Builder builder(loss.getContext());
  step.setName(kTrainStepName);
  step.setPublic();
  step->removeAttr(nn::kOptimizerAttrName);
  step->setAttr(nn::kTrainedByAttrName, optimizer);
  mlir::NamedAttribute input = builder.getNamedAttr(
      nn::kInputAttrName, builder.getStringAttr(kLearningRateName));
  (void)step.insertArgument(
      step.getNumArguments(), RankedTensorType::get({}, builder.getF32Type()),
      builder.getDictionaryAttr(input), named("learning rate", loss.getLoc()));
  step.setResultAttr(0, nn::kOutputAttrName, builder.getStringAttr(kLossName));
  symbols.insert(step, std::next(loss->getIterator()));
  return step;
}

/// The parameters that have a gradient, in the order of the module, with the
/// values that `step` reads.
SmallVector<TrainedParameter> findTrained(FuncOp step, Backward& backward) {
  llvm::DenseMap<mlir::StringAttr, Value> values;
  for (auto get : step.getOps<nn::GetOp>())
    values.try_emplace(get.getNameAttr().getAttr(), get);

  SmallVector<TrainedParameter> trained;
  auto module = step->getParentOfType<ModuleOp>();
  for (auto parameter : module.getOps<nn::ParameterOp>()) {
    mlir::StringAttr name = parameter.getSymNameAttr();
    Value gradient = backward.parameterGradients().lookup(name);
    if (!gradient) continue;
    Value& value = values[name];
    if (!value)  // Only layers read it.
      value = nn::GetOp::create(backward.getBuilder(),
                                named("@" + name.getValue(), step.getLoc()),
                                parameter.getType(), name.getValue());
    trained.push_back({parameter, value, gradient});
  }
  return trained;
}

Value scalarLike(OpBuilder& builder, Value value, double number) {
  return Term(builder, value.getLoc(), value).scalar(number);
}

/// Builds the gradients of `value`, the loss that `block` computes.
LogicalResult goBack(mlir::Block& block, Value value, Backward& backward) {
  SmallVector<Operation*> forward;
  for (Operation& op : block.without_terminator()) forward.push_back(&op);
  backward.add(value, scalarLike(backward.getBuilder(), value, 1.0));
  return backward.run(forward);
}

/// Builds the gradients of a loss that is a sum of parts, times `weight`: right
/// behind each part, so that what it has saved is not kept longer.
LogicalResult goBackInParts(FuncOp step, double weight, Backward& backward) {
  OpBuilder& builder = backward.getBuilder();
  mlir::Block& block = step.getBody().front();
  for (auto call : llvm::to_vector(block.getOps<mlir::func::CallOp>())) {
    builder.setInsertionPoint(call->getNextNode());
    Value loss = call.getResult(0);
    backward.add(loss, scalarLike(builder, loss, weight));
    if (failed(backward.run({call}))) return failure();
  }
  builder.setInsertionPoint(block.getTerminator());
  SmallVector<Operation*> parameters;
  for (auto get : block.getOps<nn::GetOp>()) parameters.push_back(get);
  return backward.run(parameters);
}

}  // namespace

LogicalResult buildTrainStep(FuncOp loss, Attribute optimizer,
                             int64_t microBatches) {
  mlir::SymbolTable symbols(loss->getParentOfType<ModuleOp>());
  if (failed(checkNames(loss, symbols)) ||
      failed(verifyCallTree(loss, symbols)))
    return failure();

  std::optional<double> weightOfPart;
  if (microBatches > 1) {
    FailureOr<double> weight =
        divideIntoMicroBatches(loss, microBatches, symbols);
    if (failed(weight)) return failure();
    weightOfPart = *weight;
  }

  FuncOp step = copyAsTrainStep(loss, optimizer, symbols);
  mlir::Block& block = step.getBody().front();
  Operation* end = block.getTerminator();
  Value value = end->getOperand(0);

  Activity activity(symbols);
  std::vector<bool> noArguments(step.getNumArguments(), false);
  llvm::DenseSet<Value> active = activity.valuesOf(step, noArguments);
  if (!active.contains(value))
    return loss.emitOpError()
           << "is to be minimised, but depends on no trainable parameter";

  Layers layers(symbols, activity);
  Backward backward(block, std::move(active), layers);
  OpBuilder& builder = backward.getBuilder();
  if (failed(weightOfPart ? goBackInParts(step, *weightOfPart, backward)
                          : goBack(block, value, backward)))
    return failure();

  SmallVector<TrainedParameter> trained = findTrained(step, backward);
  if (failed(buildOptimizerStep(builder, loss.getLoc(), optimizer,
                                block.getArguments().back(), trained, symbols)))
    return failure();
  backward.eraseUnused();
  return success();
}

}  // namespace sbp
