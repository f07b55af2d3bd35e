#include "passes/plan/Plan.h"

namespace sbp {

Plan planOfCopy(const Plan& plan, const mlir::IRMapping& copy) {
  Plan result;
  result.parameters = plan.parameters;
  for (const auto& [argument, placement] : plan.arguments)
    result.arguments[copy.lookup(argument)] = placement;
  for (const auto& [op, signature] : plan.ops)
    result.ops[copy.lookup(op)] = signature;
  for (const auto& [returned, placement] : plan.returned)
    result.returned[&copy.lookup(returned->getOwner())
                         ->getOpOperand(returned->getOperandNumber())] =
        placement;
  return result;
}

Placement Planned::placeParameter(nn::ParameterOp parameter) {
  return plan_.parameters.at(parameter.getSymNameAttr());
}

Placement Planned::placeInput(mlir::BlockArgument input) {
  return plan_.arguments.at(input);
}

Placement Planned::placeArgument(mlir::BlockArgument argument,
                                 ArrayRef<Component>) {
  return plan_.arguments.at(argument);
}

std::optional<Placement> Planned::placeReturned(mlir::OpOperand& returned) {
  auto planned = plan_.returned.find(&returned);
  if (planned == plan_.returned.end()) return std::nullopt;
  return planned->second;
}

MeshSignature Planned::choose(const OpToPlace& toPlace, const Mesh&) {
  return plan_.ops.at(toPlace.op);
}

}  // namespace sbp
