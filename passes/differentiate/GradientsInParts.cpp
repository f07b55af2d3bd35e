#include "passes/differentiate/GradientsInParts.h"

#include <vector>

#include "dialects/nn/Nn.h"
#include "passes/differentiate/LossFactors.h"
#include "passes/differentiate/Weights.h"
#include "passes/differentiate/adjoints/Term.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Erases all ops of `function` but its return, and the operands of the return.
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

}  // namespace

FailureOr<ParameterGradients> GradientsInParts::build() {
  eraseOps(step_);
  FuncOp part = batches_.microBatchFunction().clone();
  part.setName((step_.getName() + ".part").str());
  symbols_.insert(part, std::next(step_->getIterator()));
  mlir::Block& block = part.getBody().front();

  SmallVector<MicroBatches::Parameter> parameters = batches_.parametersOf(part);
  std::vector<bool> active(part.getNumArguments(), false);
  for (auto [name, argument] : parameters)
    active[argument.getArgNumber()] =
        Activity::isTrainable(symbols_.lookup<nn::ParameterOp>(name));
  // All active arguments of the function are parameters.
  Backward backward(block, activity_.valuesOf(part, active),
                    weightsOf(part, active), layers_);
  if (failed(goBack(part, backward))) return failure();

  SmallVector<Value> terms(block.getTerminator()->getOperands());
  SmallVector<mlir::StringAttr> trained;
  auto train = [&](mlir::StringAttr name, Value gradient) {
    if (!gradient) return;
    terms.push_back(gradient);
    trained.push_back(name);
  };
  for (auto [name, argument] : parameters)
    train(name, backward.gradientOf(argument));
  for (auto [name, gradient] : backward.parameterGradients()) {
    if (!delays_.empty())
      return step_.emitOpError()
             << "calls a layer that reads @" << name.getValue()
             << " itself; with a schedule without a flush, layers must take "
                "their parameters as arguments, as these are some steps old";
    train(name, gradient);
  }
  MicroBatches::addUp(part, terms);
  backward.eraseUnused();

  // If several stages read a parameter, each has its own sum of gradients.
  // These sums are added up after all micro-batches.
  Operation* end = step_.getBody().front().getTerminator();
  OpBuilder builder(end);
  SmallVector<Value> sums =
      batches_.repeat(builder, step_, part, factors_, delays_);
  end->setOperands(batches_.buildLoss(builder, step_, sums));
  ParameterGradients gradients;
  for (auto [name, sum] :
       llvm::zip(trained, ArrayRef(sums).take_back(trained.size()))) {
    Value& gradient = gradients[name];
    gradient =
        gradient
            ? Value(nn::AddOp::create(builder, locationOf(sum), gradient, sum))
            : sum;
  }
  if (!batches_.isSum() && failed(complete(sums, gradients))) return failure();
  return gradients;
}

LogicalResult GradientsInParts::goBack(FuncOp part, Backward& backward) {
  mlir::Block& block = part.getBody().front();
  mlir::OperandRange terms = block.getTerminator()->getOperands();
  SmallVector<size_t> trained;
  for (auto [index, term] : llvm::enumerate(terms))
    if (backward.isActive(term)) trained.push_back(index);
  if (batches_.isSum()) {
    backward.addLoss(terms.front());
  } else if (trained.size() == 1 && isNumber(terms[trained.front()])) {
    factorOf_ = trained.front();
    backward.addLoss(terms[*factorOf_]);
  } else {
    FailureOr<SmallVector<Value>> factors =
        LossFactors(step_, batches_, symbols_, activity_, layers_)
            .build(trained, /*overlaps=*/!delays_.empty());
    if (failed(factors)) return failure();
    factors_ = *factors;
    for (size_t index : trained)
      backward.add(terms[index],
                   block.addArgument(
                       terms[index].getType(),
                       named(nameOfGradient(terms[index]), part.getLoc())));
  }
  return backward.run(&block.front());
}

LogicalResult GradientsInParts::complete(ValueRange sums,
                                         ParameterGradients& gradients) {
  mlir::Block& block = step_.getBody().front();
  Value sum = sums[factorOf_.value_or(0)];
  llvm::DenseSet<Value> active =
      activity_.valuesOf(step_, std::vector<bool>(step_.getNumArguments()),
                         /*alsoActive=*/factorOf_ ? sum : Value());
  Backward backward(block, active, /*weights=*/{}, layers_);
  backward.addLoss(block.getTerminator()->getOperand(0));
  if (failed(backward.run(sum.getDefiningOp()->getNextNode())))
    return failure();
  if (Value derivative = backward.gradientOf(sum); factorOf_ && !derivative) {
    gradients.clear();
  } else if (factorOf_) {
    Term factor(backward.getBuilder(), sum.getLoc(), derivative);
    for (auto& [name, gradient] : gradients) {
      Term unscaled = factor.at(gradient);
      gradient = factor.withElements(unscaled.elementType()) * unscaled;
    }
  }
  for (auto [name, gradient] : backward.parameterGradients()) {
    if (!delays_.empty())
      return step_.emitOpError()
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

}  // namespace sbp
