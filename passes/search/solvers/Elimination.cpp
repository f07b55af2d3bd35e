#include "passes/search/solvers/Elimination.h"

namespace sbp::search {

std::optional<Solution> solveByElimination(const Problem& problem,
                                           EliminationLimits limits) {
  auto tree = BucketTree::eliminate(problem, limits, BucketTree::Keep::Answers);
  if (!tree) return std::nullopt;
  Solution solution;
  solution.assignment = tree->cheapest();
  solution.cost = solution.lowerBound = tree->leastCost();
  return solution;
}

std::optional<std::vector<std::vector<Cost>>> leastCosts(
    const Problem& problem, EliminationLimits limits) {
  auto tree = BucketTree::eliminate(problem, limits, BucketTree::Keep::Tables);
  if (!tree) return std::nullopt;
  return tree->passDown();
}

}  // namespace sbp::search
