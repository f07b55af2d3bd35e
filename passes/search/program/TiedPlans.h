// The plans in which all axes of a level do the same.
//
// As if the level were one axis: two axes of two devices that both split the
// rows are one of four that does. There are few such plans, so they are soon
// searched, and the best of them is where other searches begin.

#ifndef PASSES_SEARCH_PROGRAM_TIEDLEVELS_H_
#define PASSES_SEARCH_PROGRAM_TIEDLEVELS_H_

#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Restriction.h"

namespace sbp::search {

/// `graph` with the states of such plans; decisions that have none are free.
Restriction withTiedLevels(const DecisionGraph& graph);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_TIEDLEVELS_H_
