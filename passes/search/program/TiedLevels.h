// The plans in which all axes of a level do the same.
//
// As if the level were one axis: two axes of two devices that both split the
// rows are one of four that does. There are few such plans, so they are soon
// searched, and the best of them is where other searches begin.

#ifndef PASSES_SEARCH_PROGRAM_TIEDLEVELS_H_
#define PASSES_SEARCH_PROGRAM_TIEDLEVELS_H_

#include <optional>

#include "passes/search/program/CheapestPlan.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Movements.h"

namespace sbp::search {

/// The best such plan that takes at most `memoryBytes`; decisions that have no
/// such state are free, `moments` as in Tables.h. Nothing when tables would
/// take too much.
std::optional<CheapestPlan> searchTied(const DecisionGraph& graph,
                                       double memoryBytes, Movements& movements,
                                       std::vector<Moment>& moments);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_TIEDLEVELS_H_
