// A flow from the side of each decision that it links.
//
// A decision of many states has few placements of one tensor. So the table of a
// flow is over these placements, one list per decision (Pricing.h).

#ifndef PASSES_SEARCH_DECISIONS_FLOWVIEWS_H_
#define PASSES_SEARCH_DECISIONS_FLOWVIEWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// A decision as one flow sees it: by the placements of its slots in this flow.
struct FlowView {
  int64_t decision;
  /// Indices of the decision's slots among those of the flow; the making slot
  /// is first.
  llvm::SmallVector<size_t, 2> slots;
  /// The distinct placements of these slots, and the index of those of each
  /// state.
  std::vector<std::vector<PlacementTable::Number>> projections;
  std::vector<State> projectionOf;
};

/// Returns a view per decision that `flow` links, that of its maker first.
std::vector<FlowView> viewsOf(const DecisionGraph& graph, const Flow& flow);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_FLOWVIEWS_H_
