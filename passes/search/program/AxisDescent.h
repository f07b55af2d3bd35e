// A search of some mesh axes at a time.
//
// On a mesh of many axes tables may take too much. Then the best plan is found
// in which all axes of a level do the same; and from there, two axes are
// searched at a time: what the plan says of the others stays as it is, and so
// on around all pairs until none improves it. That proves nothing. Each step is
// exact in itself, but where memory is short: there it ends near its bound
// (Proof::NotWanted in Tables.h).

#ifndef PASSES_SEARCH_PROGRAM_AXISDESCENT_H_
#define PASSES_SEARCH_PROGRAM_AXISDESCENT_H_

#include <vector>

#include "passes/search/SearchRun.h"
#include "passes/search/program/CheapestPlan.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Movements.h"

namespace sbp::search {

/// The best plan in which all axes of a level do the same, of those that take
/// at most `memoryBytes`; if it is not found, as `run` is over or tables are
/// too large, some plan. Without a bound. Moments at which the limit was broken
/// are added to `moments`; there are none if no plan broke it.
CheapestPlan searchTiedLevels(const DecisionGraph& graph, double memoryBytes,
                              Movements& movements,
                              std::vector<Moment>& moments,
                              const SearchRun& run);

/// A plan that is no worse than `begin`, and mostly cheaper, if there is one
/// that takes at most `memoryBytes`, one of these. Without a bound.
CheapestPlan descendByAxes(const DecisionGraph& graph, double memoryBytes,
                           Movements& movements, std::vector<Moment>& moments,
                           CheapestPlan begin, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_AXISDESCENT_H_
