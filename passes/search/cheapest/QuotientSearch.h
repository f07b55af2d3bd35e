// An exact search that starts at a lower bound and widens: first over the
// quotient of the states by renamings of alike axes, then over the states
// themselves, and only as far as needed.
//
// The graph of orbits (Orbits.h) is small, and the costs of its plans are lower
// bounds. Messages (solvers/Messages.h) soon give each orbit a floor: a lower
// bound of the cost of all plans with the orbit. Then the search widens
// (iterative widening). It takes a cost a little above the bound, the pruning
// threshold, and drops all orbits whose floor is not below it. Tables raise the
// floors of the remaining orbits. The states of the orbits that still remain
// are searched in the same way. If this finds a plan below the threshold, it is
// a cheapest one. If not, no plan costs less than the threshold, and the search
// goes on with a higher threshold:
//
//   GPT of 4 layers on 4 nodes of 8 devices, as 2 + 3 axes
//
//                             orbits   left by   left by   states
//     threshold                        messages  tables
//     0.9412 ms               51,787       411       335      481
//     bound 0.9411            plan: 0.9411 ms, proven
//
// The time grows with the threshold. So a graph whose bound is far from its
// plans takes long, and if tables become too large the search ends with what it
// knows. If a memory limit binds, pairs of axes are searched first
// (AxisDescent.h), because plans are then far from a bound without the limit.
// If no axes are alike, each orbit is one state, and the search still gains:
// few states are below the threshold, and their tables are small where those of
// all states are not.

#ifndef PASSES_SEARCH_CHEAPEST_QUOTIENTSEARCH_H_
#define PASSES_SEARCH_CHEAPEST_QUOTIENTSEARCH_H_

#include <optional>
#include <vector>

#include "passes/search/cheapest/CheapestPlan.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// Returns a cheapest assignment of those that take at most `memoryBytes`; if
/// none is proven, a cheap one with a bound. `known` may be a plan with a
/// bound, from a search of the whole graph. `moments` are moments at which
/// plans may break the limit. If `run` is over, returns the best that is known
/// so far.
CheapestPlan searchQuotient(const DecisionGraph& graph, double memoryBytes,
                            Movements& movements,
                            std::optional<CheapestPlan> known = {},
                            std::vector<Moment> moments = {},
                            const SearchRun& run = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHEAPEST_QUOTIENTSEARCH_H_
