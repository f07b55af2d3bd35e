// An exact search where axes are alike: first what they do, then which does it.
//
// Without the names of axes (Orbits.h) the graph is small, and what its plans
// cost is a bound. A plan of orbits, given names, is a plan; that is a search
// too, of few states. If it costs what the bound says it is a cheapest one.
//
// Where it does not, the bound still rules out most of the graph. An orbit with
// which every plan costs more than one that is known is in no better plan, so
// it is left out, and what is left is searched again. It is so much smaller
// that tables can be exact which were only bounds before, and in the end that
// all names of all orbits which are left can be searched at once:
//
//   orbits           18,113      733
//   bound             1.326    1.328 ms
//   cheapest plan     1.328    1.328 ms, proven

#ifndef PASSES_SEARCH_PROGRAM_NAMELESSSEARCH_H_
#define PASSES_SEARCH_PROGRAM_NAMELESSSEARCH_H_

#include <optional>

#include "passes/search/program/CheapestPlan.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Movements.h"

namespace sbp::search {

/// A cheapest assignment of those that take at most `memoryBytes`; if it is not
/// proven to be that, with a bound. Nothing when that would take too much.
std::optional<CheapestPlan> searchWithoutNames(const DecisionGraph& graph,
                                               double memoryBytes,
                                               Movements& movements);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_NAMELESSSEARCH_H_
