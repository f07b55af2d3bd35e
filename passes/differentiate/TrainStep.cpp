#include "passes/differentiate/TrainStep.h"

#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "passes/differentiate/Activity.h"
#include "passes/differentiate/Backward.h"
#include "passes/differentiate/CallTree.h"
#include "passes/differentiate/Layers.h"
#include "passes/differentiate/LossFactors.h"
#include "passes/differentiate/MarkReductions.h"
#include "passes/differentiate/Optimizers.h"
#include "passes/differentiate/Weights.h"
#include "passes/differentiate/adjoints/Term.h"
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

/// Adds a copy of `loss` that also takes the learning rate and is marked with
/// its optimiser.
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

/// Erases the ops of `function` but its return, which then returns nothing.
void eraseOps(FuncOp function) {
  mlir::Block& body = function.getBody().front();
  body.getTerminator()->setOperands({});
  for (Operation& op :
       llvm::make_early_inc_range(llvm::drop_begin(llvm::reverse(body))))
    op.erase();
}

bool isNumber(Value value) {
  return llvm::cast<RankedTensorType>(value.getType()).getNumElements() == 1;
}

/// The gradients of parameters, by the parameters' names.
using Gradients = llvm::MapVector<mlir::StringAttr, Value>;

/// Returns the parameters that have a gradient, in the order of the module,
/// with the values that `step` reads.
SmallVector<TrainedParameter> findTrained(FuncOp step, OpBuilder& builder,
                                          const Gradients& gradients) {
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
    if (!value)  // Only layers read it.
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
    if (failed(goBack(&block.front(), block.getTerminator()->getOperand(0),
                      backward)) ||
        failed(
            update(step, backward.getBuilder(), backward.parameterGradients())))
      return failure();
    backward.eraseUnused();
    return success();
  }

  LogicalResult buildInParts(const MicroBatches& batches,
                             ArrayRef<int64_t> delays) {
    FuncOp step = copyAsTrainStep(loss_, optimizer_, symbols_);
    eraseOps(step);
    FuncOp function = batches.microBatchFunction().clone();
    function.setName((step.getName() + ".part").str());
    symbols_.insert(function, std::next(step->getIterator()));
    mlir::Block& block = function.getBody().front();

    SmallVector<MicroBatches::Parameter> parameters =
        batches.parametersOf(function);
    std::vector<bool> active(function.getNumArguments(), false);
    for (auto [name, argument] : parameters)
      active[argument.getArgNumber()] =
          Activity::isTrainable(symbols_.lookup<nn::ParameterOp>(name));
    // The active arguments of the function are all parameters.
    Backward backward(block, activity_.valuesOf(function, active),
                      weightsOf(function, active), layers_);
    mlir::OperandRange lossTerms = block.getTerminator()->getOperands();
    SmallVector<size_t> trainedTerms;
    for (auto [index, term] : llvm::enumerate(lossTerms))
      if (backward.isActive(term)) trainedTerms.push_back(index);
    if (trainedTerms.empty()) return refuseUntrained();
    // The derivative of the loss by the only such sum is a factor of all
    // gradients, by which they are multiplied when they are complete. Several
    // derivatives are factors of the terms' gradients in each part.
    const bool hasFactors =
        !batches.isSum() &&
        (trainedTerms.size() > 1 || !isNumber(lossTerms[trainedTerms.front()]));
    FailureOr<SmallVector<Value>> factors = SmallVector<Value>();
    if (hasFactors)
      factors = LossFactors(step, batches, symbols_, activity_, layers_)
                    .build(trainedTerms, /*overlaps=*/!delays.empty());
    if (failed(factors)) return failure();
    for (size_t index : trainedTerms)
      backward.add(
          lossTerms[index],
          hasFactors ? block.addArgument(lossTerms[index].getType(),
                                         named(nameOfGradient(lossTerms[index]),
                                               lossTerms[index].getLoc()))
                     : oneFor(lossTerms[index], backward));
    if (failed(goBack(&block.front(), backward))) return failure();
    SmallVector<Value> terms(lossTerms);
    SmallVector<mlir::StringAttr> trained;
    auto train = [&](mlir::StringAttr name, Value gradient) {
      if (!gradient) return;
      terms.push_back(gradient);
      trained.push_back(name);
    };
    for (auto [name, argument] : parameters)
      train(name, backward.gradientOf(argument));
    for (auto [name, gradient] : backward.parameterGradients()) {
      if (!delays.empty())
        return loss_.emitOpError()
               << "calls a layer that reads @" << name.getValue()
               << " itself; with a schedule without a flush, layers must take "
                  "their parameters as arguments, as these are some steps old";
      train(name, gradient);
    }
    MicroBatches::addUp(function, terms);
    backward.eraseUnused();

    // Stages that read the same parameter have a sum of gradients each; these
    // are added after all parts.
    Operation* end = step.getBody().front().getTerminator();
    OpBuilder builder(end);
    SmallVector<Value> sums =
        batches.repeat(builder, step, function, *factors, delays);
    end->setOperands(batches.buildLoss(builder, step, sums));
    Gradients gradients;
    for (auto [name, sum] :
         llvm::zip(trained, ArrayRef(sums).take_back(trained.size()))) {
      Value& gradient = gradients[name];
      gradient = gradient ? Value(nn::AddOp::create(builder, locationOf(sum),
                                                    gradient, sum))
                          : sum;
    }
    if (!batches.isSum() && failed(complete(step, sums[trainedTerms.front()],
                                            !hasFactors, delays, gradients)))
      return failure();
    return update(step, builder, gradients);
  }

 private:
  mlir::InFlightDiagnostic refuseUntrained() {
    return loss_.emitOpError()
           << "is to be minimised, but depends on no trainable parameter";
  }

  /// Returns the derivative of the loss by itself.
  static Value oneFor(Value loss, Backward& backward) {
    return Term(backward.getBuilder(), loss.getLoc(), loss).scalar(1);
  }

  /// Builds the gradients of `loss`, which is computed by the ops from `first`
  /// to the end of the block.
  LogicalResult goBack(Operation* first, Value loss, Backward& backward) {
    if (!backward.isActive(loss)) return refuseUntrained();
    backward.add(loss, oneFor(loss, backward));
    return goBack(first, backward);
  }

  /// Builds the gradients that follow from those that `backward` has, through
  /// the ops from `first` to the end of the block.
  static LogicalResult goBack(Operation* first, Backward& backward) {
    SmallVector<Operation*> forward;
    for (Operation& op :
         llvm::make_range(first->getIterator(),
                          first->getBlock()->getTerminator()->getIterator()))
      forward.push_back(&op);
    return backward.run(forward);
  }

  /// Completes the gradients of the loss that `step` computes from sums over
  /// all parts. If `isScaled`, `gradients` are those of `sum`, and are
  /// multiplied by the derivative of the loss by `sum`. Adds the gradients of
  /// parameters on which the loss depends directly.
  LogicalResult complete(FuncOp step, Value sum, bool isScaled,
                         ArrayRef<int64_t> delays, Gradients& gradients) {
    mlir::Block& block = step.getBody().front();
    llvm::DenseSet<Value> active =
        activity_.valuesOf(step, std::vector<bool>(step.getNumArguments()),
                           /*alsoActive=*/sum);
    Backward backward(block, active, /*weights=*/{}, layers_);
    if (failed(goBack(sum.getDefiningOp()->getNextNode(),
                      block.getTerminator()->getOperand(0), backward)))
      return failure();
    if (isScaled) {
      Term factor(backward.getBuilder(), sum.getLoc(),
                  backward.gradientOf(sum));
      for (auto& [name, gradient] : gradients) {
        Term unscaled = factor.at(gradient);
        gradient = factor.withElements(unscaled.elementType()) * unscaled;
      }
    }
    for (auto [name, gradient] : backward.parameterGradients()) {
      if (!delays.empty())
        return loss_.emitOpError()
               << "is no sum over samples, and reads @" << name.getValue()
               << " outside of the sums that it is made of; with a schedule "
                  "without a flush, only stages may read parameters, as these "
                  "are some steps old";
      Value& all = gradients[name];
      all = all ? Value(nn::AddOp::create(backward.getBuilder(), sum.getLoc(),
                                          all, gradient))
                : gradient;
    }
    return success();
  }

  LogicalResult update(FuncOp step, OpBuilder& builder,
                       const Gradients& gradients) {
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
/// The loss calls these, and so does the training step where it needs no
/// gradient.
void markForwards(FuncOp part, const mlir::SymbolTable& symbols) {
  for (auto call : part.getBody().front().getOps<mlir::func::CallOp>())
    if (auto callee = symbols.lookup<FuncOp>(call.getCallee());
        callee->hasAttr(kStageAttrName))
      setKind(callee, schedule::Kind::Forward);
}

/// Builds `step` in several parts of the batch.
LogicalResult buildInParts(TrainStep& step, FuncOp loss, BatchParts parts,
                           ArrayRef<int64_t> delays,
                           mlir::SymbolTable& symbols) {
  FailureOr<MicroBatches> batches = MicroBatches::divide(loss, parts, symbols);
  if (failed(batches)) return failure();
  markForwards(batches->microBatchFunction(), symbols);
  if (failed(step.buildInParts(*batches, delays))) return failure();
  // The loss itself goes through the parts too, so that it takes as little
  // memory as the step.
  batches->rewrite(loss);
  batches->eraseUnusedBatchFunctions(symbols);
  return success();
}

}  // namespace

LogicalResult buildTrainStep(FuncOp loss, Attribute optimizer, BatchParts parts,
                             ArrayRef<int64_t> delays, ReduceIn reduceIn) {
  mlir::SymbolTable symbols(loss->getParentOfType<ModuleOp>());
  if (failed(checkNames(loss, symbols)) ||
      failed(verifyCallTree(loss, symbols)))
    return failure();

  TrainStep step(loss, optimizer, symbols);
  const bool isWhole = parts.count() == 1 && delays.empty();
  if (failed(isWhole ? step.build()
                     : buildInParts(step, loss, parts, delays, symbols)))
    return failure();
  markReductions(symbols.lookup<FuncOp>(kTrainStepName), reduceIn);
  return success();
}

}  // namespace sbp
