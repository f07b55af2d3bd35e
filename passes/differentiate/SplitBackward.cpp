#include "passes/differentiate/SplitBackward.h"

#include "dialects/nn/DifferentiableOp.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "passes/differentiate/TakeValues.h"
#include "passes/module/BodyType.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

class Splitting {
 public:
  Splitting(BackwardFunction& input, FuncOp function,
            const std::vector<bool>& weightArguments)
      : input_(input),
        weightArguments_(weightArguments),
        inputBlock_(input.function.getBody().front()),
        weightBlock_(*function.addEntryBlock()) {
    weight_.function = function;
  }

  BackwardFunction run() {
    splitResults();
    moveOps();
    takeValues(weight_.function, inputBlock_,
               [&](Value value) { return take(value); });
    dropUnusedArguments();
    finish(input_, inputAttributes_);
    finish(weight_, weightAttributes_);
    return std::move(weight_);
  }

 private:
  /// Gives each half a return with its own gradients.
  void splitResults() {
    Operation* end = inputBlock_.getTerminator();
    SmallVector<int64_t> arguments = std::move(input_.argumentGradients);
    input_.argumentGradients.clear();
    SmallVector<Value> inputs, weights;
    for (auto [index, gradient] : llvm::enumerate(end->getOperands())) {
      bool isOfArgument = index < arguments.size();
      bool isWeight = !isOfArgument || weightArguments_[arguments[index]];
      (isWeight ? weights : inputs).push_back(gradient);
      if (isOfArgument)
        (isWeight ? weight_ : input_)
            .argumentGradients.push_back(arguments[index]);
    }
    weight_.parameterGradients = std::move(input_.parameterGradients);
    input_.parameterGradients.clear();
    end->setOperands(inputs);
    OpBuilder builder = OpBuilder::atBlockEnd(&weightBlock_);
    ReturnOp::create(builder, end->getLoc(), weights);
    for (mlir::BlockArgument argument : inputBlock_.getArguments())
      inputAttributes_.push_back(
          input_.function.getArgAttrDict(argument.getArgNumber()));
  }

  /// Moves the ops that the first half does not need to the second half.
  void moveOps() {
    llvm::SmallPtrSet<Operation*, 32> needed = {inputBlock_.getTerminator()};
    auto isNeeded = [&](Operation* user) {
      Operation* inBlock = inputBlock_.findAncestorOpInBlock(*user);
      return inBlock && needed.contains(inBlock);
    };
    for (Operation& op :
         llvm::make_early_inc_range(llvm::reverse(inputBlock_))) {
      if (needed.contains(&op)) continue;
      if (llvm::any_of(op.getUsers(), isNeeded))
        needed.insert(&op);
      else
        op.moveBefore(&weightBlock_, weightBlock_.begin());
    }
  }

  /// Returns an argument of the second half that stands for `value`, a value of
  /// the first half.
  Value take(Value value) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      weight_.operandSources.push_back(
          input_.operandSources[argument.getArgNumber()]);
      weightAttributes_.push_back(inputAttributes_[argument.getArgNumber()]);
    } else {
      Operation* end = inputBlock_.getTerminator();
      weight_.operandSources.push_back(
          {OperandSource::Kind::Input, end->getNumOperands()});
      weightAttributes_.push_back({});
      end->insertOperands(end->getNumOperands(), value);
    }
    return weightBlock_.addArgument(value.getType(), locationOf(value));
  }

  void dropUnusedArguments() {
    for (unsigned index = inputBlock_.getNumArguments(); index-- > 0;) {
      if (!inputBlock_.getArgument(index).use_empty()) continue;
      inputBlock_.eraseArgument(index);
      input_.operandSources.erase(input_.operandSources.begin() + index);
      inputAttributes_.erase(inputAttributes_.begin() + index);
    }
  }

  /// Sets the type of `half`, and the attributes of its arguments and results.
  static void finish(BackwardFunction& half,
                     ArrayRef<mlir::DictionaryAttr> attributes) {
    FuncOp function = half.function;
    function.removeArgAttrsAttr();
    function.removeResAttrsAttr();
    setTypeToBody(function);
    for (auto [index, each] : llvm::enumerate(attributes))
      if (each) function.setArgAttrs(index, each);
    mlir::Builder builder(function.getContext());
    for (auto [index, argument] : llvm::enumerate(half.argumentGradients))
      function.setResultAttr(index, nn::kGradientOfAttrName,
                             builder.getI64IntegerAttr(argument));
  }

  BackwardFunction& input_;
  BackwardFunction weight_;
  const std::vector<bool>& weightArguments_;
  mlir::Block& inputBlock_;
  mlir::Block& weightBlock_;
  SmallVector<mlir::DictionaryAttr> inputAttributes_, weightAttributes_;
};

}  // namespace

BackwardFunction splitBackward(BackwardFunction& whole, FuncOp function,
                               const std::vector<bool>& weightArguments) {
  return Splitting(whole, function, weightArguments).run();
}

}  // namespace sbp
