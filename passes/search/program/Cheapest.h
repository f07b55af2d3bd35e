// The cheapest assignment of a decision graph that fits into memory.
//
// By tables, where they hold the graph (Tables.h). Where the mesh has axes that
// are alike they never do, and where a tensor has many uses they hold only
// bounds: then the search goes from the bound up (NamelessSearch.h). Both
// prove. What is too large for either is searched by some axes at a time
// (AxisDescent.h).

#ifndef PASSES_SEARCH_PROGRAM_CHEAPEST_H_
#define PASSES_SEARCH_PROGRAM_CHEAPEST_H_

#include "passes/search/SearchRun.h"
#include "passes/search/program/CheapestPlan.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Movements.h"

namespace sbp::search {

/// A cheapest assignment of those that take at most `memoryBytes`, proven where
/// that can be done, else a cheap one. When `run` is over, the best that is
/// known by then.
CheapestPlan findCheapest(const DecisionGraph& graph, double memoryBytes,
                          Movements& movements, const SearchRun& run);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_CHEAPEST_H_
