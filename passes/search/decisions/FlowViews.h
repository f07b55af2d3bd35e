// A flow from the side of each decision that it links.
//
// A decision of many states has few placements of one tensor. So the table of a
// flow is over these placements, one list per decision (Pricing.h).

#ifndef PASSES_SEARCH_DECISIONS_FLOWVIEWS_H_
#define PASSES_SEARCH_DECISIONS_FLOWVIEWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/problem/Problem.h"

namespace sbp::search {

/// Placements of one tensor in some slots of a decision.
using Projection = std::vector<PlacementTable::Number>;

/// The distinct projections of a decision's states.
struct Projections {
  std::vector<Projection> all;
  std::vector<State> of;  // per state, its index in `all`
};

/// Returns the projections of the states of `decision` to `slots`, in the order
/// of the first states.
Projections projectionsTo(llvm::ArrayRef<int64_t> slots,
                          const Decision& decision);

/// A decision as one flow sees it: by the placements of its slots in this flow.
struct FlowView {
  int64_t decision;
  /// Indices of the decision's slots among those of the flow; the making slot
  /// is first.
  llvm::SmallVector<size_t, 2> slots;
  /// The distinct placements of these slots, and the index of those of each
  /// state.
  std::vector<Projection> projections;
  std::vector<State> projectionOf;
};

/// Returns a view per decision that `flow` links, that of its maker first.
std::vector<FlowView> viewsOf(const DecisionGraph& graph, const Flow& flow);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_FLOWVIEWS_H_
