// The plans in which some axes do the same.
//
// There are few such plans, so they are soon searched, and the best of them is
// where other searches begin.

#ifndef PASSES_SEARCH_PROGRAM_TIEDPLANS_H_
#define PASSES_SEARCH_PROGRAM_TIEDPLANS_H_

#include "passes/search/program/AxisTies.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Restriction.h"

namespace sbp::search {

/// `graph` with the states in which axes that are tied lay all tensors alike;
/// decisions that have none are free.
Restriction withTies(const DecisionGraph& graph, AxisTies ties);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_TIEDPLANS_H_
