#include "test/properties/RandomProgram.h"

#include "codegen/interpreter/RandomTensor.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/Parser/Parser.h"
#include "test/properties/FunctionWriter.h"
#include "test/properties/ModuleWriter.h"
#include "test/properties/steps/Steps.h"

namespace sbp::properties {
namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;

std::vector<FunctionStep> allSteps() {
  std::vector<FunctionStep> steps;
  for (auto& family :
       {elementwiseSteps(), shapeSteps(), tensorSteps(), windowSteps()})
    steps.insert(steps.end(), family.begin(), family.end());
  return steps;
}

void addStep(FunctionWriter& f) {
  static const std::vector<FunctionStep> kSteps = allSteps();
  f.choices().pick(kSteps)(f);
}

/// Adds a call of `layer`, with values so far or leaves as operands.
void addCall(FunctionWriter& f, FuncOp layer) {
  SmallVector<Value> operands;
  for (Type type : layer.getArgumentTypes()) {
    auto tensor = llvm::cast<RankedTensorType>(type);
    operands.push_back(f.leaf(tensor.getShape(), tensor.getElementType()));
  }
  auto call = CallOp::create(f.builder(), layer.getLoc(), layer, operands);
  for (Value result : call.getResults()) f.keep(result, /*bound=*/16);
}

/// Adds a layer of a few steps. It returns one or two values, preferably values
/// without a use.
void addLayer(ModuleWriter& module) {
  Choices& choices = module.choices();
  SmallVector<FuncOp> callable(module.layers());
  std::string name = "layer" + std::to_string(callable.size());
  FuncOp function = module.addFunction(name, {});
  function.setPrivate();

  // Draws the shapes of arguments as those of leaves.
  FunctionWriter empty(module, function, FunctionWriter::Kind::Layer);
  SmallVector<Type> arguments;
  for (int64_t count = choices.between(1, 3); count > 0; --count)
    arguments.push_back(RankedTensorType::get(
        empty.shape(), arguments.empty() || choices.chance(70)
                           ? module.floatType()
                           : empty.integerType()));
  function.getBody().front().addArguments(
      arguments, SmallVector<Location>(arguments.size(), function.getLoc()));

  FunctionWriter f(module, function, FunctionWriter::Kind::Layer);
  do {
    if (!callable.empty() && choices.chance(20))
      addCall(f, choices.pick(callable));
    else
      addStep(f);
  } while (choices.chance(60));

  SmallVector<Value> results;
  for (Value value : llvm::reverse(f.values()))
    if (results.size() < 2 && value.use_empty() &&
        !llvm::isa<mlir::BlockArgument>(value))
      results.push_back(value);
  if (results.empty()) results.push_back(f.values().back());
  f.finish(results);
  module.layers().push_back(function);
}

Attribute randomOptimizer(MLIRContext* context, Choices& choices) {
  auto number = [](double value) { return llvm::APFloat(value); };
  double decay = choices.chance(30) ? 0.25 : 0;
  // Adam has a large epsilon. With a small one, an update by a gradient that is
  // zero except for rounding errors would depend on these errors.
  switch (choices.weighted({55, 15, 15, 15})) {
    case 0:
      return nn::SgdAttr::get(context, number(0), number(decay));
    case 1:
      return nn::SgdAttr::get(context, number(0.5), number(decay));
    case 2:
      return nn::AdamAttr::get(context, number(0.5), number(0.75), number(0.01),
                               number(decay));
    default:
      return nn::AdamWAttr::get(context, number(0.5), number(0.75),
                                number(0.01), number(decay));
  }
}

/// Returns what `layer` keeps. This follows from its size, so that a program
/// takes no more choices.
Kept keptBySize(FuncOp layer) {
  const size_t size = layer.getBody().front().getOperations().size();
  return kAllKept[size % std::size(kAllKept)];
}

void addLoss(ModuleWriter& module) {
  Choices& choices = module.choices();
  FuncOp function = module.addFunction("loss", {});
  FunctionWriter f(module, function, FunctionWriter::Kind::Entry);
  // The program has at least one parameter to train.
  auto type = RankedTensorType::get(f.shape(), f.floatType());
  nn::ParameterOp trained = module.parameter(type);
  trained.setFrozen(false);
  Value first = f.make<nn::GetOp>(type, trained.getSymName());
  f.keep(first, 5);

  int64_t steps = 0;
  do {
    ++steps;
    if (!module.layers().empty() && choices.chance(25)) {
      FuncOp layer = choices.pick(module.layers());
      do addCall(f, layer);
      while (choices.chance(40));
    } else {
      addStep(f);
    }
  } while (steps < 3 || (steps < 12 && choices.chance(85)));

  f.finish(f.sumOfUnused(first));
  OpBuilder& builder = f.builder();
  function->setAttr(nn::kOptimizerAttrName,
                    randomOptimizer(module.context(), choices));
  function.setResultAttr(0, nn::kOutputAttrName, builder.getStringAttr("loss"));
  for (auto call : function.getOps<CallOp>())
    for (FuncOp layer : module.layers())
      if (layer.getName() == call.getCallee() && !layer->hasAttr(kKeepAttrName))
        layer->setAttr(kKeepAttrName,
                       KeepAttr::get(module.context(), keptBySize(layer)));
}

}  // namespace

SmallVector<interpreter::Tensor> RandomProgram::arguments(uint64_t seed) {
  auto loss = module->lookupSymbol<FuncOp>("loss");
  SmallVector<interpreter::Tensor> tensors;
  for (auto [index, type] : llvm::enumerate(loss.getArgumentTypes()))
    tensors.push_back(interpreter::randomTensor(
        llvm::cast<RankedTensorType>(type),
        interpreter::CountedRandom(seed, "argument " + std::to_string(index)),
        integerBounds[index]));
  auto rate =
      RankedTensorType::get({}, mlir::Float32Type::get(loss.getContext()));
  tensors.push_back(interpreter::Tensor::splat(rate, 1));
  return tensors;
}

RandomProgram randomProgram(MLIRContext* context, Type floatType,
                            Choices& choices) {
  RandomProgram program;
  program.module = ModuleOp::create(mlir::UnknownLoc::get(context));
  ModuleWriter module(*program.module, floatType, choices);
  for (int64_t layers = choices.weighted({40, 35, 25}); layers > 0; --layers)
    addLayer(module);
  addLoss(module);
  program.floatType = floatType;
  program.integerBounds = module.integerBounds();
  return program;
}

RandomProgram singlePrecisionProgram(MLIRContext* context, Choices& choices) {
  return randomProgram(context, mlir::Float32Type::get(context), choices);
}

RandomProgram bf16Program(MLIRContext* context, Choices& choices) {
  return randomProgram(context, mlir::BFloat16Type::get(context), choices);
}

RandomProgram readProgram(const std::string& text, Type floatType) {
  RandomProgram program;
  program.module =
      mlir::parseSourceString<ModuleOp>(text, floatType.getContext());
  program.floatType = floatType;
  program.integerBounds = {0};
  return program;
}

}  // namespace sbp::properties
