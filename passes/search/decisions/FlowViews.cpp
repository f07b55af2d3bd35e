#include "passes/search/decisions/FlowViews.h"

#include <iterator>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace sbp::search {

Projections projectionsTo(llvm::ArrayRef<int64_t> slots,
                          const Decision& decision) {
  Projections projections;
  std::map<Projection, State> known;
  for (const Decision::State& state : decision.states) {
    Projection projection;
    for (int64_t slot : slots) projection.push_back(state.placements[slot]);
    auto [entry, isNew] = known.try_emplace(
        projection, static_cast<State>(projections.all.size()));
    if (isNew) projections.all.push_back(std::move(projection));
    projections.of.push_back(entry->second);
  }
  return projections;
}

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
    llvm::SmallVector<int64_t, 2> indices;
    for (size_t position : view.slots) indices.push_back(slots[position].index);
    Projections projections =
        projectionsTo(indices, graph.decisions[view.decision]);
    view.projections = std::move(projections.all);
    view.projectionOf = std::move(projections.of);
  }
  return views;
}

}  // namespace sbp::search
