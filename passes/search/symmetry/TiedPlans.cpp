#include "passes/search/symmetry/TiedPlans.h"

#include <vector>

#include "llvm/ADT/STLExtras.h"

namespace sbp::search {

Restriction withTies(const DecisionGraph& graph, AxisTies ties) {
  const std::vector<int64_t> groups = groupsOf(graph.mesh, ties);
  auto isTied = [&](const Decision::State& state) {
    return llvm::all_of(state.placements, [&](PlacementTable::Number number) {
      llvm::ArrayRef<Component> placement = graph.placements[number];
      for (size_t axis = 1; axis < groups.size(); ++axis)
        for (size_t before = 0; before < axis; ++before)
          if (groups[before] == groups[axis] &&
              placement[before] != placement[axis])
            return false;
      return true;
    });
  };
  std::vector<bool> mayBeTied;
  for (const Decision& decision : graph.decisions)
    mayBeTied.push_back(llvm::any_of(decision.states, isTied));
  return Restriction(graph, [&](size_t decision, State state) {
    return !mayBeTied[decision] ||
           isTied(graph.decisions[decision].states[state]);
  });
}

}  // namespace sbp::search
