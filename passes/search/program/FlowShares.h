// What each decision pays at least of what a flow takes.
//
// To serve the uses of a tensor is a matter of all that touch it. Messages
// (solvers/Messages.h) know how to share it out, so that each pays for how it
// lays the tensor and nobody has to know of the others:
//
//   x in [S(0), B] 0 us, [B, B] -3 us, ...    maker
//   x in [S(0), B] 1 us, [B, B] 9 us, ...     norm      in all no more than
//   x in [S(0), B] 0 us, [B, B] 4 us, ...     add       the flow takes

#ifndef PASSES_SEARCH_PROGRAM_FLOWSHARES_H_
#define PASSES_SEARCH_PROGRAM_FLOWSHARES_H_

#include <map>
#include <vector>

#include "passes/search/program/DecisionGraph.h"

namespace sbp::search {

struct FlowShare {
  using Number = PlacementTable::Number;

  int64_t decision = 0;
  /// Slots of the decision, and what it pays for how these lie, in seconds per
  /// step.
  std::vector<int64_t> slots;
  std::map<std::vector<Number>, double> seconds;
};

/// Per flow of a graph.
using FlowShares = std::vector<std::vector<FlowShare>>;

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_FLOWSHARES_H_
