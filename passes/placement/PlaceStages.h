// The placement strategy for a program in stages. Each group has its own
// strategy. Tensors that lie on the whole machine are Broadcast, and every rank
// computes all of them.

#ifndef PASSES_PLACEMENT_PLACESTAGES_H_
#define PASSES_PLACEMENT_PLACESTAGES_H_

#include <functional>
#include <memory>

#include "dialects/support/LLVM.h"
#include "passes/plan/Placer.h"
#include "passes/plan/ProgramMeshes.h"
#include "passes/stages/Stages.h"

namespace sbp {

/// Delegates to the strategy of the group on which a tensor or op lies.
class PlaceStages : public PlacementStrategy {
 public:
  /// Makes the strategy for tensors and ops on `group`.
  using StrategyOf = std::function<std::unique_ptr<PlacementStrategy>(
      ProgramMeshes::Name group)>;

  /// Calls `strategyOf` once per group. `meshes` must outlive this object.
  PlaceStages(const ProgramMeshes& meshes, StagesOp stages,
              StrategyOf strategyOf);

  Placement placeParameter(nn::ParameterOp parameter) override;
  Placement placeInput(mlir::BlockArgument input) override;
  Placement placeArgument(mlir::BlockArgument argument,
                          ArrayRef<Component> given) override;
  std::optional<Placement> placeReturned(mlir::OpOperand& returned) override;
  MeshSignature choose(const OpToPlace& op, const Mesh& mesh) override;

 private:
  /// Returns the strategy of `mesh`; null if `mesh` is the whole machine.
  PlacementStrategy* strategyOf(ProgramMeshes::Name mesh) const {
    auto known = strategies_.find(mesh);
    return known == strategies_.end() ? nullptr : known->second.get();
  }
  /// Returns Broadcast on all axes of the whole machine.
  Placement everywhere() const {
    return Placement(meshes_.mesh(meshes_.defaultMesh()).axes.size());
  }

  const ProgramMeshes& meshes_;
  llvm::DenseMap<Attribute, std::unique_ptr<PlacementStrategy>> strategies_;
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_PLACESTAGES_H_
