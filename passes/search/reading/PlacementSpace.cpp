#include "passes/search/reading/PlacementSpace.h"

namespace sbp::search {

bool PlacementSpace::contains(ArrayRef<Component> placement) const {
  for (auto [axis, component] : llvm::zip(mesh_.axes, placement)) {
    if (axis.size == 1 && !component.isBroadcast()) return false;
    if (component.isPartial() && component.reduction() != Reduction::Sum &&
        !reductions_.contains(component.reduction()))
      return false;
  }
  return true;
}

bool PlacementSpace::contains(const MeshSignature& signature) const {
  auto has = [&](const Placement& placement) { return contains(placement); };
  return llvm::all_of(signature.operands, has) &&
         llvm::all_of(signature.results, has);
}

SmallVector<Placement> PlacementSpace::placementsOf(RankedTensorType type,
                                                    bool mayBePartial) const {
  SmallVector<Component> components = {Component::broadcast()};
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.getDimSize(dim) > 1) components.push_back(Component::split(dim));
  if (mayBePartial && llvm::isa<mlir::FloatType>(type.getElementType()))
    components.push_back(Component::partial(Reduction::Sum));
  SmallVector<Placement> placements = {Placement()};
  for (auto [axis, description] : llvm::enumerate(mesh_.axes)) {
    const auto first = llvm::find(groups_, groups_[axis]) - groups_.begin();
    const bool isTied = first < static_cast<int64_t>(axis);
    SmallVector<Placement> longer;
    for (const Placement& placement : placements)
      for (Component component : components) {
        if (description.size == 1 && !component.isBroadcast()) continue;
        if (isTied && component != placement[first]) continue;
        longer.push_back(placement);
        longer.back().push_back(component);
      }
    placements = std::move(longer);
  }
  return placements;
}

}  // namespace sbp::search
