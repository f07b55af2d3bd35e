// Exact search by eliminating one variable after the other.
//
// To eliminate a variable is to ask, for every choice of its neighbours, which
// of its states is best, and to keep the answer as a new cost of the
// neighbours:
//
//      a --- v --- b         a ===== b      new(a, b) = min over states s of v
//                                           of a-v(a, s) + own(s) + v-b(s, b)
//
// When all are gone, the optimum stands there; going back through the answers
// gives the assignment. On a chain every step has one neighbour, so the whole
// takes (number of layers) x (states)^2: this is then the dynamic program over
// the chain. In general it takes, per variable, the product of the states of
// the variable and of its neighbours at that time, so the order matters
// (EliminationOrder.h).

#ifndef PASSES_SEARCH_SOLVERS_ELIMINATION_H_
#define PASSES_SEARCH_SOLVERS_ELIMINATION_H_

#include <optional>
#include <vector>

#include "passes/search/solvers/BucketTree.h"
#include "passes/search/solvers/Solution.h"

namespace sbp::search {

/// A cheapest assignment, proven. Nothing when that would take more than
/// `limits` allow, which is known beforehand.
std::optional<Solution> solveByElimination(const Problem& problem,
                                           EliminationLimits limits = {});

struct LeastCosts {
  Solution cheapest;
  /// Per variable and state, what a cheapest assignment with it costs: infinity
  /// where none is allowed.
  std::vector<std::vector<Cost>> with;
};

/// The same, and what every choice costs. In the time of three eliminations;
/// nothing when one would take more than `limits` allow.
std::optional<LeastCosts> leastCosts(const Problem& problem,
                                     EliminationLimits limits = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_ELIMINATION_H_
