// The cheapest assignment of a decision graph that fits into memory.
//
// Memory is a limit at every moment, and there are thousands. So the search
// begins with none of them; when the plan that it finds takes too much at some
// moment, that moment becomes a resource with a limit, and the search begins
// again. Each search leaves out limits, so its bound holds for all plans that
// fit; and the last plan keeps them all, so it is one of these.
//
// On a mesh of many axes elimination may take too much. Then the best plan is
// found in which all axes of a level do the same; and from there, two axes are
// searched at a time: what the plan says of the others stays as it is, and so
// on around all pairs until none improves it. That proves nothing, but each
// step is exact in itself.

#ifndef PASSES_SEARCH_PROGRAM_CHEAPEST_H_
#define PASSES_SEARCH_PROGRAM_CHEAPEST_H_

#include <optional>
#include <vector>

#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Memory.h"
#include "passes/search/program/Movements.h"
#include "passes/search/solvers/Solution.h"

namespace sbp::search {

struct CheapestPlan {
  /// Of the decisions. The cost is never less than what it takes.
  Solution solution;
  PeakMemory memory;
  /// Whether that is within the limit. If not, no plan is known that is, and of
  /// those seen this takes least.
  bool fits = true;
  /// If it does not fit: for certain, no plan takes less than this.
  double leastBytes = 0;
};

/// A cheapest assignment of those that take at most `memoryBytes`, proven where
/// that can be done, else a cheap one.
CheapestPlan findCheapest(const DecisionGraph& graph, double memoryBytes,
                          Movements& movements);

/// Per decision and state, what a plan with it takes at least, whatever memory
/// it takes; less than that only where `findCheapest` would not prove its plan.
/// Nothing when elimination would take too much.
std::optional<std::vector<std::vector<double>>> leastSecondsWith(
    const DecisionGraph& graph, Movements& movements);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_CHEAPEST_H_
