// Plans in which tied axes (AxisTies.h) do the same.
//
// There are few such plans, so they are searched fast. Other searches begin
// with the best of them.

#ifndef PASSES_SEARCH_SYMMETRY_TIEDPLANS_H_
#define PASSES_SEARCH_SYMMETRY_TIEDPLANS_H_

#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/decisions/Restriction.h"
#include "passes/search/symmetry/AxisTies.h"

namespace sbp::search {

/// Returns `graph` with only the states in which tied axes have equal
/// components in all placements. A decision without such a state keeps all its
/// states.
Restriction withTies(const DecisionGraph& graph, AxisTies ties);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SYMMETRY_TIEDPLANS_H_
