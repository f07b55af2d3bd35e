// A local search that changes the plan on two mesh axes at a time.
//
// On a mesh of many axes the tables of an exact search may take too much. Then
// the search first finds the best of the plans in which all axes of a level do
// the same. Starting from this plan, it searches pairs of axes in turn, while
// the placements on all other axes stay as they are. The descent ends when no
// pair improves the plan. It proves nothing. Each step is exact, unless a
// memory limit binds: then a step ends near its bound (Proof::NotWanted in
// Tables.h).

#ifndef PASSES_SEARCH_CHEAPEST_AXISDESCENT_H_
#define PASSES_SEARCH_CHEAPEST_AXISDESCENT_H_

#include <vector>

#include "passes/search/cheapest/CheapestPlan.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// Returns the best of the plans that take at most `memoryBytes` and in which
/// all axes of a level do the same. Returns any plan if `run` is over or tables
/// are too large. The plan has no bound. Adds to `moments` (Memory.h) the
/// moments at which a plan broke the memory limit.
CheapestPlan searchTiedLevels(const DecisionGraph& graph, double memoryBytes,
                              Movements& movements,
                              std::vector<Moment>& moments,
                              const SearchRun& run);

/// Returns a plan that is no worse than `begin` and mostly cheaper. It takes at
/// most `memoryBytes` if such a plan is found. The plan has no bound. Adds to
/// `moments` as searchTiedLevels does.
CheapestPlan descendByAxes(const DecisionGraph& graph, double memoryBytes,
                           Movements& movements, std::vector<Moment>& moments,
                           CheapestPlan begin, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHEAPEST_AXISDESCENT_H_
