// Division of the costs of flows (DecisionGraph.h) among decisions: the share
// that each decision pays at least.
//
// The cost of serving all uses of a tensor depends on all decisions that touch
// it. Messages (solvers/Messages.h) divide it into shares. The share of a
// decision depends on its own placements of the tensor, and not on other
// decisions:
//
//   x in [S(0), B] 0 us, [B, B] -3 us, ...    maker
//   x in [S(0), B] 1 us, [B, B] 9 us, ...     norm      the sum is no more than
//   x in [S(0), B] 0 us, [B, B] 4 us, ...     add       the cost of the flow

#ifndef PASSES_SEARCH_DECISIONS_FLOWSHARES_H_
#define PASSES_SEARCH_DECISIONS_FLOWSHARES_H_

#include <map>
#include <vector>

#include "passes/search/decisions/DecisionGraph.h"

namespace sbp::search {

/// The share of one decision in the cost of one flow.
struct FlowShare {
  using Number = PlacementTable::Number;

  int64_t decision = 0;
  /// `slots`: the decision's slots for the tensor. `seconds`: its share, per
  /// placements of these slots, in seconds per step.
  std::vector<int64_t> slots;
  std::map<std::vector<Number>, double> seconds;
};

/// Shares per flow of a graph.
using FlowShares = std::vector<std::vector<FlowShare>>;

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_FLOWSHARES_H_
