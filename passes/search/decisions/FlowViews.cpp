#include "passes/search/decisions/FlowViews.h"

#include <iterator>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace sbp::search {

std::vector<FlowView> viewsOf(const DecisionGraph& graph, const Flow& flow) {
  std::vector<Slot> slots = {flow.made};
  for (const Flow::Use& use : flow.uses) slots.push_back(use.slot);
  std::vector<FlowView> views;
  for (auto [position, slot] : llvm::enumerate(slots)) {
    int64_t decision = slot.decision;
    auto view = llvm::find_if(
        views, [&](const FlowView& v) { return v.decision == decision; });
    if (view == views.end()) {
      views.push_back({decision, {}, {}, {}});
      view = std::prev(views.end());
    }
    view->slots.push_back(position);
  }
  for (FlowView& view : views) {
    std::map<std::vector<PlacementTable::Number>, State> known;
    const Decision& decision = graph.decisions[view.decision];
    for (const Decision::State& state : decision.states) {
      std::vector<PlacementTable::Number> projection;
      for (size_t position : view.slots)
        projection.push_back(state.placements[slots[position].index]);
      auto [entry, isNew] = known.try_emplace(
          projection, static_cast<State>(view.projections.size()));
      if (isNew) view.projections.push_back(std::move(projection));
      view.projectionOf.push_back(entry->second);
    }
  }
  return views;
}

}  // namespace sbp::search
