// Exact search by variable elimination.
//
// To eliminate a variable v is to find the best state of v for every choice of
// its neighbours, and to keep the costs of these states as a new table over the
// neighbours:
//
//      a --- v --- b         a ===== b      new(a, b) = min over states s of v
//                                           of a-v(a, s) + own(s) + v-b(s, b)
//
// After the last elimination one number is left: the optimum. Going back
// through the best states gives the assignment. On a chain every variable has
// one neighbour when it is eliminated, so the search takes (number of layers) x
// (states)^2: the dynamic program over the chain. In general an elimination
// takes the product of the numbers of states of the variable and of its
// neighbours at that time, so the order matters (EliminationOrder.h).

#ifndef PASSES_SEARCH_SOLVERS_ELIMINATION_H_
#define PASSES_SEARCH_SOLVERS_ELIMINATION_H_

#include <optional>
#include <vector>

#include "passes/search/problem/Solution.h"
#include "passes/search/solvers/BucketTree.h"

namespace sbp::search {

/// Returns a cheapest assignment, with its cost as the lower bound. Returns
/// nullopt if elimination would exceed `limits`, which is known before it
/// starts, or if the run of `limits` is over.
std::optional<Solution> solveByElimination(const Problem& problem,
                                           EliminationLimits limits = {});

/// The result of leastCosts().
struct LeastCosts {
  Solution cheapest;
  /// Min-marginals: per variable and state, the cost of the cheapest assignment
  /// with this state; infinity if no assignment with it is allowed.
  std::vector<std::vector<Cost>> with;
};

/// Returns a cheapest assignment and the min-marginals. Takes the time of three
/// eliminations. Returns nullopt in the same cases as solveByElimination.
std::optional<LeastCosts> leastCosts(const Problem& problem,
                                     EliminationLimits limits = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SOLVERS_ELIMINATION_H_
