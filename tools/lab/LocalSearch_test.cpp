// Heuristics never report a cost that their assignment does not have.

#include "tools/lab/LocalSearch.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tools/lab/Exhaustive.h"

namespace sbp::search::lab {
namespace {

class Randomly {
 public:
  explicit Randomly(uint64_t seed) : random_(seed) {}
  int64_t below(int64_t bound) { return random_() % bound; }
  /// Returns a whole number of ticks, or sometimes infinity.
  Cost cost() { return below(12) == 0 ? kInfiniteCost : below(1000); }

 private:
  std::mt19937_64 random_;
};

/// Returns a problem of up to six variables of up to five states, with tables
/// over up to three variables.
Problem randomProblem(uint64_t seed) {
  Randomly randomly(seed);
  Problem problem;
  int64_t variables = 1 + randomly.below(6);
  for (int64_t v = 0; v < variables; ++v)
    problem.addVariable("v" + std::to_string(v), 1 + randomly.below(5));
  for (int64_t tables = randomly.below(3 * variables); tables > 0; --tables) {
    std::vector<int64_t> scope;
    int64_t combinations = 1;
    for (int64_t more = 1 + randomly.below(3); more > 0; --more) {
      int64_t variable = randomly.below(variables);
      if (std::count(scope.begin(), scope.end(), variable)) continue;
      scope.push_back(variable);
      combinations *= problem.numStates(variable);
    }
    std::vector<Cost> costs;
    for (; combinations > 0; --combinations) costs.push_back(randomly.cost());
    problem.addCosts(scope, costs);
  }
  return problem;
}

using SearchFunction = HeuristicSolution (*)(const Problem&, Budget);

class HeuristicSearches : public testing::TestWithParam<SearchFunction> {};

TEST_P(HeuristicSearches, AreRightAboutWhatTheyFound) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Problem problem = randomProblem(seed);
    Cost optimum = solveExhaustively(problem).cost;
    HeuristicSolution found = GetParam()(problem, {200, seed});
    EXPECT_GE(found.best.cost, optimum) << "seed " << seed;
    if (std::isfinite(found.best.cost)) {
      EXPECT_EQ(problem.cost(found.best.assignment), found.best.cost);
      EXPECT_EQ(found.improvements.back().cost, found.best.cost);
      EXPECT_LE(found.improvements.back().evaluations, 200);
    }
  }
}

TEST_P(HeuristicSearches, FindTheOptimumOfASmallProblemInTime) {
  int64_t optimal = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Problem problem = randomProblem(seed);
    if (GetParam()(problem, {20000, seed}).best.cost ==
        solveExhaustively(problem).cost)
      ++optimal;
  }
  // A random walk may stay enclosed by forbidden assignments.
  EXPECT_GE(optimal, 80);
}

TEST_P(HeuristicSearches, RepeatThemselvesForTheSameSeed) {
  Problem problem = randomProblem(7);
  HeuristicSolution once = GetParam()(problem, {500, 3});
  HeuristicSolution again = GetParam()(problem, {500, 3});
  EXPECT_EQ(once.best.assignment, again.best.assignment);
  EXPECT_EQ(once.improvements.size(), again.improvements.size());
}

INSTANTIATE_TEST_SUITE_P(All, HeuristicSearches,
                         testing::Values(
                             &searchRandomly,
                             [](const Problem& p, Budget b) {
                               return searchByMetropolisHastings(p, b);
                             },
                             &searchByCoordinateDescent));

}  // namespace
}  // namespace sbp::search::lab
