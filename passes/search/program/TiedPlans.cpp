#include "passes/search/program/TiedLevels.h"

#include <vector>

#include "llvm/ADT/STLExtras.h"

namespace sbp::search {
namespace {

/// Whether the state lays all tensors alike on all axes of a level.
bool isTied(const DecisionGraph& graph, const Decision::State& state) {
  llvm::ArrayRef<MeshAxis> axes = graph.mesh.axes;
  for (PlacementTable::Number number : state.placements) {
    llvm::ArrayRef<Component> placement = graph.placements[number];
    // Axes of one device do nothing.
    int64_t last = -1;
    for (auto [axis, description] : llvm::enumerate(axes)) {
      if (description.size == 1) continue;
      if (last >= 0 && axes[last].level == description.level &&
          placement[last] != placement[axis])
        return false;
      last = static_cast<int64_t>(axis);
    }
  }
  return true;
}

}  // namespace

Restriction withTiedLevels(const DecisionGraph& graph) {
  std::vector<bool> mayBeTied;
  for (const Decision& decision : graph.decisions)
    mayBeTied.push_back(llvm::any_of(
        decision.states,
        [&](const Decision::State& state) { return isTied(graph, state); }));
  return Restriction(graph, [&](size_t decision, State state) {
    return !mayBeTied[decision] ||
           isTied(graph, graph.decisions[decision].states[state]);
  });
}

}  // namespace sbp::search
