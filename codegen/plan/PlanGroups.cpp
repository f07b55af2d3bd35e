#include "codegen/plan/PlanGroups.h"

#include "dialects/sbp/Sbp.h"

namespace sbp {

FailureOr<const PlanGroups::Group*> PlanGroups::of(
    Operation* op, mlir::FlatSymbolRefAttr name) {
  std::unique_ptr<Group>& known = known_[name];
  if (known) return known.get();
  FailureOr<Mesh> mesh = lookupMesh(op, name);
  if (failed(mesh)) return failure();
  plan::Group group;
  group.name = name.getValue().str();
  for (const MeshAxis& axis : mesh->axes)
    group.axes.push_back({axis.name, axis.size});
  group.ranks.assign(mesh->ranks.begin(), mesh->ranks.end());
  known = std::make_unique<Group>(
      Group{static_cast<int64_t>(groups_.size()), std::move(*mesh)});
  groups_.push_back(std::move(group));
  return known.get();
}

}  // namespace sbp
