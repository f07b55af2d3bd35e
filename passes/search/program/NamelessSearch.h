// An exact search from the bound up: first what axes do that are alike, then
// which does it, and never further than need be.
//
// Without the names of axes (Orbits.h) the graph is small, and what its plans
// cost is a bound. Messages (solvers/Messages.h) tell soon, for every orbit,
// what plans with it cost at least: its floor. From there the search reaches
// out. It takes a cost a little above the bound, and leaves out all orbits
// whose floor is not below; of those that are left, tables raise the floors;
// the names of those that are left then are searched in the same way. If that
// finds a plan below the reach, it is a cheapest one. If not, no plan costs
// less than the reach, and it reaches out farther:
//
//   GPT of 4 layers on 4 nodes of 8 devices, as 2 + 3 axes
//
//                             orbits   left by   left by   names
//     reach                            messages  tables
//     0.9412 ms                51,787      411      335      481
//     bound 0.9411             plan: 0.9411 ms, proven
//
// What a reach costs grows with it; so a graph whose bound is far from its
// plans takes long, and where tables would be too large the search ends with
// what it knows. If a limit of memory binds, pairs of axes are searched first
// (AxisDescent.h), as plans are far from a bound without one. Where no axes are
// alike, each orbit is one state, and what is left of the idea is the better
// half: few states are below the reach, and their tables are small where those
// of all states are not.

#ifndef PASSES_SEARCH_PROGRAM_NAMELESSSEARCH_H_
#define PASSES_SEARCH_PROGRAM_NAMELESSSEARCH_H_

#include <optional>
#include <vector>

#include "passes/search/SearchRun.h"
#include "passes/search/program/CheapestPlan.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Movements.h"

namespace sbp::search {

/// A cheapest assignment of those that take at most `memoryBytes`; if it is not
/// proven to be that, a cheap one with a bound. `known` is a plan with a bound,
/// if there is one already, and `moments` are some at which the limit may be
/// broken. When `run` is over, the best that is known by then.
CheapestPlan searchWithoutNames(const DecisionGraph& graph, double memoryBytes,
                                Movements& movements,
                                std::optional<CheapestPlan> known = {},
                                std::vector<Moment> moments = {},
                                const SearchRun& run = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_NAMELESSSEARCH_H_
