#include "passes/differentiate/Layers.h"

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "passes/differentiate/Backward.h"
#include "passes/differentiate/Recompute.h"
#include "passes/differentiate/SplitBackward.h"
#include "passes/differentiate/TakeValues.h"
#include "passes/differentiate/Weights.h"
#include "passes/module/BodyType.h"
#include "passes/names/Names.h"
#include "passes/schedule/Table.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

/// Returns the name of a function, "layer.forward", or "layer.forward.2" for
/// the second needs.
std::string nameOf(FuncOp function, StringRef part, int64_t number) {
  std::string name = (function.getName() + "." + part).str();
  if (number > 1) name += "." + std::to_string(number);
  return name;
}

/// Inserts `function` after `previous` as a private function, without the
/// attributes of an entry.
void insertAfter(Operation* previous, FuncOp function,
                 mlir::SymbolTable& symbols) {
  function.setPrivate();
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    for (StringRef name : {nn::kInputAttrName, nn::kBelowAttrName})
      function.removeArgAttr(index, name);
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    function.removeResultAttr(
        index,
        mlir::StringAttr::get(function.getContext(), nn::kOutputAttrName));
  symbols.insert(function, std::next(previous->getIterator()));
}

/// Makes the backward function independent of the forward function. Each value
/// of the forward function that it uses becomes an argument. The new arguments
/// come before the existing ones.
class Cut {
 public:
  Cut(FuncOp forward, BackwardFunction& backward)
      : forwardFunction_(forward),
        backward_(backward),
        forward_(forward.getBody().front()),
        block_(backward.function.getBody().front()) {}

  void run() {
    FuncOp function = backward_.function;
    takeValues(function, forward_, [&](Value value) { return save(value); });
    setTypeToBody(function);
    for (auto [index, source] : llvm::enumerate(backward_.operandSources))
      if (source.kind == OperandSource::Kind::Arguments)
        function.setArgAttrs(index,
                             forwardFunction_.getArgAttrDict(source.index));
  }

 private:
  Value save(Value value) {
    backward_.operandSources.insert(
        backward_.operandSources.begin() + numSaved_, find(value));
    return block_.insertArgument(numSaved_++, value.getType(),
                                 locationOf(value));
  }

  /// Returns where the caller finds `value`. If `value` is neither an argument
  /// nor a result of the forward function, makes it a result.
  OperandSource find(Value value) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
      return {OperandSource::Kind::Arguments, argument.getArgNumber()};
    Operation* end = forward_.getTerminator();
    for (auto [index, result] : llvm::enumerate(end->getOperands()))
      if (result == value)
        return {OperandSource::Kind::Results, static_cast<int64_t>(index)};
    unsigned index = end->getNumOperands();
    end->insertOperands(index, value);
    (void)forwardFunction_.insertResult(index, value.getType(), /*attrs=*/{});
    return {OperandSource::Kind::Results, index};
  }

  FuncOp forwardFunction_;
  BackwardFunction& backward_;
  mlir::Block& forward_;
  mlir::Block& block_;
  unsigned numSaved_ = 0;
};

/// Marks the functions of a stage with their kinds.
void setKinds(Layer& layer) {
  setKind(layer.forward, schedule::Kind::Forward);
  if (layer.recomputation.function)
    setKind(layer.recomputation.function, schedule::Kind::Recompute);
  if (layer.backward.size() == 1)
    return setKind(layer.backward.front().function, schedule::Kind::Backward);
  setKind(layer.backward.front().function, schedule::Kind::Input);
  setKind(layer.backward.back().function, schedule::Kind::Weight);
}

}  // namespace

void setKind(FuncOp function, schedule::Kind kind) {
  function->setAttr(kKindAttrName,
                    TaskKindAttr::get(function.getContext(), kind));
}

FailureOr<const Layer*> Layers::differentiate(CallOp call,
                                              const LayerNeeds& needs) {
  auto function = symbols_.lookup<FuncOp>(call.getCallee());
  std::map<LayerNeeds, Layer>& made = layers_[function];
  auto known = made.find(needs);
  if (known != made.end()) return &known->second;
  FailureOr<Layer> layer = build(function, needs, made.size() + 1);
  if (failed(layer)) return failure();
  return &made.emplace(needs, std::move(*layer)).first->second;
}

bool Layers::asksForHalves(CallOp call) const {
  return symbols_.lookup(call.getCallee())->hasAttr(kSplitBackwardAttrName);
}

FailureOr<Layer> Layers::build(FuncOp function, const LayerNeeds& needs,
                               int64_t number) {
  Layer layer;
  layer.forward = function.clone();
  layer.forward.setName(nameOf(function, "forward", number));
  for (StringRef name : {kSplitBackwardAttrName, kKeepAttrName})
    layer.forward->removeAttr(name);
  insertAfter(function, layer.forward, symbols_);
  auto addBackward = [&](Operation* previous, StringRef part) {
    FuncOp made =
        FuncOp::create(function.getLoc(), nameOf(function, part, number),
                       mlir::FunctionType::get(function.getContext(), {}, {}));
    insertAfter(previous, made, symbols_);
    for (StringRef name : {kTiedAttrName, kStageAttrName})
      if (Attribute attribute = function->getAttr(name))
        made->setAttr(name, attribute);
    return made;
  };

  bool isInHalves = needs.weightArguments.has_value();
  BackwardFunction& whole = layer.backward.emplace_back();
  whole.function =
      addBackward(layer.forward, isInHalves ? "backward.input" : "backward");
  if (failed(buildBackward(needs, layer))) return failure();
  if (Kept kept = keptBy(function); kept != Kept::All) {
    recompute(layer, kept, function.getNumResults());
    FuncOp& again = layer.recomputation.function;
    if (again.getNumResults() == 0 && !function->hasAttr(kStageAttrName)) {
      again.erase();
      again = nullptr;
    } else {
      again.setName(nameOf(function, "recompute", number));
      again->setAttr(nn::kRecomputesAttrName,
                     mlir::UnitAttr::get(function.getContext()));
      insertAfter(layer.forward, again, symbols_);
    }
  }
  if (isInHalves)
    layer.backward.push_back(
        splitBackward(whole, addBackward(whole.function, "backward.weight"),
                      *needs.weightArguments));
  if (function->hasAttr(kStageAttrName))
    setKinds(layer);
  else
    eraseEmpty(layer);
  return layer;
}

LogicalResult Layers::buildBackward(const LayerNeeds& needs, Layer& layer) {
  BackwardFunction& whole = layer.backward.front();
  mlir::Block& forward = layer.forward.getBody().front();
  mlir::Block& block = *whole.function.addEntryBlock();
  std::vector<bool> noArguments(layer.forward.getNumArguments(), false);
  Backward backward(
      block, activity_.valuesOf(layer.forward, needs.activeArguments),
      weightsOf(layer.forward, needs.weightArguments.value_or(noArguments)),
      *this);
  if (needs.weightArguments) backward.splitAllCalls();
  for (auto [index, result, hasGradient] : llvm::enumerate(
           forward.getTerminator()->getOperands(), needs.resultGradients)) {
    if (!hasGradient) continue;
    whole.operandSources.push_back(
        {OperandSource::Kind::Gradients, static_cast<int64_t>(index)});
    backward.add(result, block.addArgument(
                             result.getType(),
                             named(nameOfGradient(result), result.getLoc())));
  }
  if (failed(backward.run(&forward.front()))) return failure();

  SmallVector<Value> gradients;
  for (mlir::BlockArgument argument : forward.getArguments())
    if (Value gradient = backward.gradientOf(argument)) {
      whole.argumentGradients.push_back(argument.getArgNumber());
      gradients.push_back(gradient);
    }
  for (auto [name, gradient] : backward.parameterGradients()) {
    whole.parameterGradients.push_back(name);
    gradients.push_back(gradient);
  }
  ReturnOp::create(backward.getBuilder(), layer.forward.getLoc(), gradients);
  backward.eraseUnused();
  Cut(layer.forward, whole).run();

  auto attributeOf = [&](int64_t number) {
    return backward.getBuilder().getI64IntegerAttr(number);
  };
  for (auto [index, source] : llvm::enumerate(whole.operandSources))
    if (source.kind == OperandSource::Kind::Gradients)
      whole.function.setArgAttr(index, nn::kGradientOfAttrName,
                                attributeOf(source.index));
  for (auto [index, argument] : llvm::enumerate(whole.argumentGradients))
    whole.function.setResultAttr(index, nn::kGradientOfAttrName,
                                 attributeOf(argument));
  return success();
}

void Layers::eraseEmpty(Layer& layer) {
  llvm::erase_if(layer.backward, [&](BackwardFunction& half) {
    if (half.function.getNumResults() > 0) return false;
    symbols_.erase(half.function);
    return true;
  });
}

}  // namespace sbp
