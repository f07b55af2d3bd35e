#include "passes/search/solvers/Elimination.h"

#include <utility>

namespace sbp::search {

namespace {

Solution solutionOf(const BucketTree& tree) {
  Solution solution;
  solution.assignment = tree.cheapest();
  solution.cost = solution.lowerBound = tree.leastCost();
  return solution;
}

}  // namespace

std::optional<Solution> solveByElimination(const Problem& problem,
                                           EliminationLimits limits) {
  auto tree = BucketTree::eliminate(problem, limits, BucketTree::Keep::Answers);
  if (!tree) return std::nullopt;
  return solutionOf(*tree);
}

std::optional<LeastCosts> leastCosts(const Problem& problem,
                                     EliminationLimits limits) {
  auto tree = BucketTree::eliminate(problem, limits, BucketTree::Keep::Tables);
  if (!tree) return std::nullopt;
  auto with = tree->passDown();
  if (!with) return std::nullopt;
  return LeastCosts{solutionOf(*tree), std::move(*with)};
}

}  // namespace sbp::search
