// The cheapest assignment of a decision graph that fits into memory.
//
// It is searched by tables (Tables.h), unless the mesh has alike axes
// (passes/boxing/AlikeAxes.h). Tables may be too large, and if a tensor has
// many uses, they only give bounds. In these cases the search goes from the
// bound up (QuotientSearch.h). Both searches can prove their results. A graph
// that is too large for both is searched two axes at a time (AxisDescent.h).

#ifndef PASSES_SEARCH_CHEAPEST_CHEAPEST_H_
#define PASSES_SEARCH_CHEAPEST_CHEAPEST_H_

#include "passes/search/cheapest/CheapestPlan.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/Movements.h"
#include "passes/search/run/SearchRun.h"

namespace sbp::search {

/// Returns a cheapest assignment of those that take at most `memoryBytes`, with
/// a proof. If there is no proof, returns a cheap one. If `run` is over,
/// returns the best that is known so far.
CheapestPlan findCheapest(const DecisionGraph& graph, double memoryBytes,
                          Movements& movements, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHEAPEST_CHEAPEST_H_
