// Elimination of what messages leave.
//
// Messages (TableMessages.h) give a lower bound of the cost of every assignment
// with a state, and guess a cheap assignment. States whose bound is above the
// cost of this guess are in no cheapest assignment, and are left out. Where the
// bounds are good, few states are left, and the elimination is short.
//
//      states of v    bound       left out, if the guess costs 12
//           s0          10
//           s1          11
//           s2          15            x

#ifndef PASSES_SEARCH_SOLVERS_PRUNEDELIMINATION_H_
#define PASSES_SEARCH_SOLVERS_PRUNEDELIMINATION_H_

#include <optional>

#include "passes/search/problem/Problem.h"
#include "passes/search/problem/Solution.h"
#include "passes/search/solvers/BucketTree.h"

namespace sbp::search {

/// Returns a cheapest assignment of `problem`, as solveByElimination()
/// (Elimination.h) does. Where several are the cheapest, it may be another one.
/// Returns nullopt if even the elimination of what is left would exceed
/// `limits`, or if their run is over.
std::optional<Solution> solveByPrunedElimination(
    const Problem& problem, const EliminationLimits& limits = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_PRUNEDELIMINATION_H_
