#include "codegen/plan/Signature.h"

#include "codegen/plan/ElementTypes.h"
#include "dialects/nn/EntryNames.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/Sbp.h"
#include "fmt/format.h"
#include "llvm/ADT/TypeSwitch.h"

namespace sbp {
namespace {

using mlir::func::FuncOp;

plan::Component planComponent(Component component) {
  plan::Component result;
  switch (component.kind()) {
    case Component::Kind::Broadcast:
      result.kind = plan::Component::Kind::kBroadcast;
      break;
    case Component::Kind::Split:
      result.kind = plan::Component::Kind::kSplit;
      result.dim = component.dim();
      break;
    case Component::Kind::Partial:
      result.kind = plan::Component::Kind::kPartial;
      result.reduction =
          static_cast<plan::ReductionKind>(component.reduction());
      break;
  }
  return result;
}

plan::Initializer planInitializer(Attribute initializer) {
  using Kind = plan::Initializer::Kind;
  return llvm::TypeSwitch<Attribute, plan::Initializer>(initializer)
      .Case([](nn::NormalAttr normal) {
        return plan::Initializer{Kind::kNormal, 0.0,
                                 normal.getStddev().convertToDouble()};
      })
      .Case([](nn::UniformAttr uniform) {
        return plan::Initializer{Kind::kUniform,
                                 uniform.getLower().convertToDouble(),
                                 uniform.getUpper().convertToDouble()};
      })
      .Case([](nn::ConstantAttr constant) {
        return plan::Initializer{Kind::kConstant,
                                 constant.getValue().convertToDouble(), 0.0};
      })
      .Case([](nn::OnesAttr) {
        return plan::Initializer{Kind::kConstant, 1.0, 0.0};
      })
      .Default([](Attribute) {
        return plan::Initializer{Kind::kConstant, 0.0, 0.0};
      });
}

/// Returns the optimiser as text, for instance "sgd<momentum = 0.9,
/// weight_decay = 0>" for #nn.sgd<momentum = 0.9>; empty if there is none.
std::string optimizerText(Attribute optimizer) {
  const auto adam = [](StringRef name, auto attribute) {
    return fmt::format(
        "{}<beta1 = {}, beta2 = {}, epsilon = {}, weight_decay = {}>",
        name.str(), attribute.getBeta1().convertToDouble(),
        attribute.getBeta2().convertToDouble(),
        attribute.getEpsilon().convertToDouble(),
        attribute.getWeightDecay().convertToDouble());
  };
  if (!optimizer) return "";
  return llvm::TypeSwitch<Attribute, std::string>(optimizer)
      .Case([](nn::SgdAttr sgd) {
        return fmt::format("sgd<momentum = {}, weight_decay = {}>",
                           sgd.getMomentum().convertToDouble(),
                           sgd.getWeightDecay().convertToDouble());
      })
      .Case([&](nn::AdamAttr attribute) { return adam("adam", attribute); })
      .Case([&](nn::AdamWAttr attribute) { return adam("adamw", attribute); })
      .Default([](Attribute) { return std::string(); });
}

}  // namespace

FailureOr<plan::Tensor> wholeTensor(Operation* op, StringRef name,
                                    RankedTensorType type, PlanGroups& groups) {
  NdSbpAttr placement = NdSbpAttr::of(type);
  FailureOr<plan::ElementType> element = planElementType(op, type);
  auto group = groups.of(op, placement.getMesh());
  if (failed(element) || failed(group)) return failure();
  plan::Tensor tensor;
  tensor.name = name.str();
  tensor.elementType = *element;
  tensor.shape = type.getShape().vec();
  for (const Component& component : placement.getComponents())
    tensor.placement.push_back(planComponent(component));
  tensor.group = (*group)->number;
  return tensor;
}

FailureOr<plan::Parameter> wholeParameter(nn::ParameterOp parameter,
                                          PlanGroups& groups) {
  FailureOr<RankedTensorType> type = wholeType(parameter);
  if (failed(type)) return failure();
  auto tensor = wholeTensor(parameter, parameter.getSymName(), *type, groups);
  if (failed(tensor)) return failure();
  plan::Parameter result;
  result.tensor = std::move(*tensor);
  result.initializer = planInitializer(parameter.getInitializer());
  result.isState = parameter.getState();
  return result;
}

FailureOr<plan::Entry> planEntry(const WholeEntry& entry, PlanGroups& groups) {
  FuncOp function = entry.function;
  plan::Entry result;
  result.name = function.getName().str();
  result.optimizer = optimizerText(function->getAttr(nn::kTrainedByAttrName));
  for (auto [i, argument] : llvm::enumerate(entry.arguments)) {
    const std::string name = nn::inputName(argument.attrs, i);
    auto tensor = wholeTensor(function, name, argument.type, groups);
    if (failed(tensor)) return failure();
    if (auto below =
            argument.attrs.getAs<mlir::IntegerAttr>(nn::kBelowAttrName))
      tensor->below = below.getInt();
    result.inputs.push_back(std::move(*tensor));
  }
  for (auto [i, output] : llvm::enumerate(entry.results)) {
    const std::string name = nn::outputName(output.attrs, i);
    auto tensor = wholeTensor(function, name, output.type, groups);
    if (failed(tensor)) return failure();
    result.outputs.push_back(std::move(*tensor));
  }
  return result;
}

}  // namespace sbp
