#include "passes/differentiate/Layers.h"

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "passes/differentiate/Backward.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

namespace {

/// "layer.forward", or for a further pair "layer.forward.2".
std::string nameOf(FuncOp function, StringRef half, int64_t number) {
  std::string name = (function.getName() + "." + half).str();
  if (number > 1) name += "." + std::to_string(number);
  return name;
}

/// Puts `function` behind `previous`, as a function that only calls reach.
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

/// Cuts the backward function off the forward one: replaces in it every value
/// of the forward function by an argument, put before those that it has.
class Cut {
 public:
  explicit Cut(Layer& layer)
      : layer(layer),
        forward(layer.forward.getBody().front()),
        backward(layer.backward.getBody().front()) {}

  void run() {
    layer.backward.walk([&](Operation* op) {
      for (mlir::OpOperand& operand : op->getOpOperands()) {
        Value value = operand.get();
        if (value.getParentBlock() == &forward) operand.set(replace(value));
      }
    });
    layer.backward.setType(mlir::FunctionType::get(
        layer.backward.getContext(), backward.getArgumentTypes(),
        backward.getTerminator()->getOperandTypes()));
    for (auto [index, saved] : llvm::enumerate(layer.saved))
      if (saved.isArgument)
        layer.backward.setArgAttrs(index,
                                   layer.forward.getArgAttrDict(saved.index));
  }

 private:
  Value replace(Value value) {
    Value& replacement = replacements[value];
    if (!replacement) replacement = isFree(value) ? again(value) : save(value);
    return replacement;
  }

  /// To read a parameter or make a constant again costs less than to keep it.
  static bool isFree(Value value) {
    Operation* op = value.getDefiningOp();
    return op && op->getNumOperands() == 0 && op->getNumRegions() == 0 &&
           op->getNumResults() == 1 && !llvm::isa<CallOp>(op);
  }

  Value again(Value value) {
    OpBuilder builder = OpBuilder::atBlockBegin(&backward);
    Operation* copy = builder.clone(*value.getDefiningOp());
    copy->removeAttr(nn::kIdAttrName);
    return copy->getResult(0);
  }

  Value save(Value value) {
    layer.saved.push_back(find(value));
    return backward.insertArgument(numSaved++, value.getType(),
                                   locationOf(value));
  }

  /// Where the caller finds `value`; makes it a result when it is not to be
  /// found.
  Layer::Saved find(Value value) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
      return {/*isArgument=*/true, argument.getArgNumber()};
    Operation* end = forward.getTerminator();
    for (auto [index, result] : llvm::enumerate(end->getOperands()))
      if (result == value)
        return {/*isArgument=*/false, static_cast<int64_t>(index)};
    unsigned index = end->getNumOperands();
    end->insertOperands(index, value);
    (void)layer.forward.insertResult(index, value.getType(), /*attrs=*/{});
    return {/*isArgument=*/false, index};
  }

  Layer& layer;
  mlir::Block& forward;
  mlir::Block& backward;
  llvm::DenseMap<Value, Value> replacements;
  unsigned numSaved = 0;
};

}  // namespace

FailureOr<const Layer*> Layers::differentiate(CallOp call,
                                              const LayerNeeds& needs) {
  auto function = symbols.lookup<FuncOp>(call.getCallee());
  std::map<LayerNeeds, Layer>& pairs = layers[function];
  auto known = pairs.find(needs);
  if (known != pairs.end()) return &known->second;
  FailureOr<Layer> layer = build(function, needs, pairs.size() + 1);
  if (failed(layer)) return failure();
  return &pairs.emplace(needs, std::move(*layer)).first->second;
}

FailureOr<Layer> Layers::build(FuncOp function, const LayerNeeds& needs,
                               int64_t number) {
  Layer layer;
  layer.forward = function.clone();
  layer.forward.setName(nameOf(function, "forward", number));
  insertAfter(function, layer.forward, symbols);
  layer.backward =
      FuncOp::create(function.getLoc(), nameOf(function, "backward", number),
                     mlir::FunctionType::get(function.getContext(), {}, {}));
  insertAfter(layer.forward, layer.backward, symbols);
  for (StringRef name : {kTiedAttrName, kStageAttrName})
    if (Attribute attribute = function->getAttr(name))
      layer.backward->setAttr(name, attribute);
  if (function->hasAttr(kStageAttrName)) {
    mlir::Builder builder(function.getContext());
    layer.forward->setAttr(kKindAttrName, builder.getStringAttr("F"));
    layer.backward->setAttr(kKindAttrName, builder.getStringAttr("B"));
  }

  mlir::Block& forward = layer.forward.getBody().front();
  mlir::Block& block = *layer.backward.addEntryBlock();
  SmallVector<Operation*> ops;
  for (Operation& op : forward.without_terminator()) ops.push_back(&op);
  Backward backward(
      block, activity.valuesOf(layer.forward, needs.activeArguments), *this);
  SmallVector<int64_t> resultGradients;
  for (auto [index, result, hasGradient] : llvm::enumerate(
           forward.getTerminator()->getOperands(), needs.resultGradients)) {
    if (!hasGradient) continue;
    resultGradients.push_back(index);
    backward.add(result, block.addArgument(
                             result.getType(),
                             named(nameOfGradient(result), result.getLoc())));
  }
  if (failed(backward.run(ops))) return failure();

  SmallVector<Value> gradients;
  for (mlir::BlockArgument argument : forward.getArguments())
    if (Value gradient = backward.gradientOf(argument)) {
      layer.argumentGradients.push_back(argument.getArgNumber());
      gradients.push_back(gradient);
    }
  for (auto [name, gradient] : backward.parameterGradients()) {
    layer.parameterGradients.push_back(name);
    gradients.push_back(gradient);
  }
  ReturnOp::create(backward.getBuilder(), function.getLoc(), gradients);
  backward.eraseUnused();
  Cut(layer).run();

  auto attributeOf = [&](int64_t number) {
    return backward.getBuilder().getI64IntegerAttr(number);
  };
  for (auto [index, result] : llvm::enumerate(resultGradients))
    layer.backward.setArgAttr(layer.saved.size() + index,
                              nn::kGradientOfAttrName, attributeOf(result));
  for (auto [index, argument] : llvm::enumerate(layer.argumentGradients))
    layer.backward.setResultAttr(index, nn::kGradientOfAttrName,
                                 attributeOf(argument));
  return layer;
}

}  // namespace sbp
