#include "passes/differentiate/TrainStep.h"

#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "passes/differentiate/Activity.h"
#include "passes/differentiate/Backward.h"
#include "passes/differentiate/CallTree.h"
#include "passes/differentiate/GradientsInParts.h"
#include "passes/differentiate/KeepInLayers.h"
#include "passes/differentiate/Layers.h"
#include "passes/differentiate/MarkReductions.h"
#include "passes/differentiate/Optimizers.h"
#include "passes/differentiate/Weights.h"
#include "passes/microbatches/MicroBatches.h"
#include "passes/names/Names.h"
#include "passes/schedule/Table.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

constexpr llvm::StringLiteral kTrainStepName = "train_step";
constexpr llvm::StringLiteral kLearningRateName = "lr";
constexpr llvm::StringLiteral kLossName = "loss";

/// Fails if the name of the training step, or that of its learning rate, is
/// taken.
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

/// Adds a copy of `loss` that takes the learning rate as another argument, and
/// is marked with its optimiser.
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

/// Returns the parameters that have a gradient, in the order of the module,
/// with their values in `step`.
SmallVector<TrainedParameter> findTrained(FuncOp step, OpBuilder& builder,
                                          const ParameterGradients& gradients) {
  llvm::DenseMap<mlir::StringAttr, Value> values;
  for (auto get : step.getOps<nn::GetOp>())
    if (get.getBefore() == 0)
      values.try_emplace(get.getNameAttr().getAttr(), get);

  SmallVector<TrainedParameter> trained;
  auto module = step->getParentOfType<ModuleOp>();
  for (auto parameter : module.getOps<nn::ParameterOp>()) {
    mlir::StringAttr name = parameter.getSymNameAttr();
    Value gradient = gradients.lookup(name);
    if (!gradient) continue;
    Value& value = values[name];
    if (!value)  // only layers read it
      value = nn::GetOp::create(builder,
                                named("@" + name.getValue(), step.getLoc()),
                                parameter.getType(), name.getValue());
    trained.push_back({parameter, value, gradient});
  }
  return trained;
}

class TrainStep {
 public:
  TrainStep(FuncOp loss, Attribute optimizer, mlir::SymbolTable& symbols)
      : loss_(loss),
        optimizer_(optimizer),
        symbols_(symbols),
        activity_(symbols),
        layers_(symbols, activity_) {}

  LogicalResult build() {
    FuncOp step = copyAsTrainStep(loss_, optimizer_, symbols_);
    mlir::Block& block = step.getBody().front();
    std::vector<bool> noArguments(step.getNumArguments(), false);
    Backward backward(block, activity_.valuesOf(step, noArguments),
                      weightsOf(step, noArguments), layers_);
    backward.addLoss(block.getTerminator()->getOperand(0));
    if (failed(backward.run(&block.front())) ||
        failed(
            update(step, backward.getBuilder(), backward.parameterGradients())))
      return failure();
    backward.eraseUnused();
    return success();
  }

  LogicalResult buildInParts(const MicroBatches& batches,
                             ArrayRef<int64_t> delays) {
    FuncOp step = copyAsTrainStep(loss_, optimizer_, symbols_);
    FailureOr<ParameterGradients> gradients =
        GradientsInParts(step, batches, delays, symbols_, activity_, layers_)
            .build();
    if (failed(gradients)) return failure();
    OpBuilder builder(step.getBody().front().getTerminator());
    return update(step, builder, *gradients);
  }

 private:
  LogicalResult update(FuncOp step, OpBuilder& builder,
                       const ParameterGradients& gradients) {
    if (gradients.empty())
      return loss_.emitOpError()
             << "is to be minimised, but depends on no trainable parameter";
    return buildOptimizerStep(builder, loss_.getLoc(), optimizer_,
                              step.getArguments().back(),
                              findTrained(step, builder, gradients), symbols_);
  }

  FuncOp loss_;
  Attribute optimizer_;
  mlir::SymbolTable& symbols_;
  Activity activity_;
  Layers layers_;
};

/// Marks the functions of stages that `part` calls as forwards of a pipeline.
/// The loss calls these functions. The training step calls them too if it needs
/// no gradient of their results.
void markForwards(FuncOp part, const mlir::SymbolTable& symbols) {
  for (auto call : part.getBody().front().getOps<mlir::func::CallOp>())
    if (auto callee = symbols.lookup<FuncOp>(call.getCallee());
        callee->hasAttr(kStageAttrName))
      setKind(callee, schedule::Kind::Forward);
}

/// Builds `step` for a batch in several parts.
LogicalResult buildInParts(TrainStep& step, FuncOp loss, BatchParts parts,
                           ArrayRef<int64_t> delays,
                           mlir::SymbolTable& symbols) {
  FailureOr<MicroBatches> batches = MicroBatches::divide(loss, parts, symbols);
  if (failed(batches)) return failure();
  markForwards(batches->microBatchFunction(), symbols);
  if (failed(step.buildInParts(*batches, delays))) return failure();
  // The loss itself is computed in parts too, so that it needs no more memory
  // than the step.
  batches->rewrite(loss);
  batches->eraseUnusedBatchFunctions(symbols);
  return success();
}

}  // namespace

LogicalResult buildTrainStep(FuncOp loss, Attribute optimizer, BatchParts parts,
                             ArrayRef<int64_t> delays, ReduceIn reduceIn) {
  auto module = loss->getParentOfType<ModuleOp>();
  mlir::SymbolTable symbols(module);
  if (failed(checkNames(loss, symbols)) ||
      failed(verifyCallTree(loss, symbols)))
    return failure();
  if (failed(verifyKeepInLayers(module, loss, symbols))) return failure();

  TrainStep step(loss, optimizer, symbols);
  const bool isWhole = parts.count() == 1 && delays.empty();
  if (failed(isWhole ? step.build()
                     : buildInParts(step, loss, parts, delays, symbols)))
    return failure();
  markReductions(symbols.lookup<FuncOp>(kTrainStepName), reduceIn);
  for (auto function : module.getOps<FuncOp>())
    function->removeAttr(kKeepAttrName);
  return success();
}

}  // namespace sbp
