#include "passes/placement/PlaceStages.h"

namespace sbp {

PlaceStages::PlaceStages(const ProgramMeshes& meshes, StagesOp stages,
                         StrategyOf strategyOf)
    : meshes_(meshes) {
  for (auto group : stages.getGroups().getAsRange<ProgramMeshes::Name>())
    if (auto& strategy = strategies_[group]; !strategy)
      strategy = strategyOf(group);
}

Placement PlaceStages::placeParameter(nn::ParameterOp parameter) {
  PlacementStrategy* strategy = strategyOf(meshes_.of(parameter));
  return strategy ? strategy->placeParameter(parameter) : everywhere();
}

Placement PlaceStages::placeInput(mlir::BlockArgument input) {
  PlacementStrategy* strategy = strategyOf(meshes_.of(input));
  return strategy ? strategy->placeInput(input) : everywhere();
}

Placement PlaceStages::placeArgument(mlir::BlockArgument argument,
                                     ArrayRef<Component> given) {
  PlacementStrategy* strategy = strategyOf(meshes_.of(argument));
  return strategy ? strategy->placeArgument(argument, given) : everywhere();
}

std::optional<Placement> PlaceStages::placeReturned(mlir::OpOperand& returned) {
  NdSbpAttr made = NdSbpAttr::of(returned.get().getType());
  PlacementStrategy* strategy = strategyOf(made.getMesh());
  return strategy ? strategy->placeReturned(returned) : std::nullopt;
}

MeshSignature PlaceStages::choose(const OpToPlace& op, const Mesh& mesh) {
  if (PlacementStrategy* strategy = strategyOf(meshes_.of(op.op)))
    return strategy->choose(op, mesh);
  MeshSignature alike;
  alike.operands.assign(op.operandPlacements.size(), everywhere());
  alike.results.assign(op.requirements.size(), everywhere());
  return alike;
}

}  // namespace sbp
