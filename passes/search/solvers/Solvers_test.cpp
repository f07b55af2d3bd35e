// Exact solvers find what exhaustive search finds in random small problems.

#include <algorithm>
#include <cmath>
#include <random>

#include "gtest/gtest.h"
#include "passes/search/solvers/Elimination.h"
#include "tools/lab/Exhaustive.h"

namespace sbp::search {
namespace {

using lab::solveExhaustively;

class Randomly {
 public:
  explicit Randomly(uint64_t seed) : random_(seed) {}
  int64_t below(int64_t bound) { return random_() % bound; }
  /// Returns a whole number of ticks, or sometimes infinity.
  Cost cost() { return below(12) == 0 ? kInfiniteCost : below(1000); }

 private:
  std::mt19937_64 random_;
};

/// Restricts `variable` to `state`, by a table that forbids all other states.
void pin(Problem& problem, int64_t variable, State state) {
  std::vector<Cost> costs(problem.numStates(variable), kInfiniteCost);
  costs[state] = 0;
  problem.addCosts({variable}, std::move(costs));
}

/// Returns a problem of up to six variables of up to five states, with tables
/// over up to three variables, and sometimes a pin.
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
  if (randomly.below(3) == 0) {
    int64_t variable = randomly.below(variables);
    pin(problem, variable,
        static_cast<State>(randomly.below(problem.numStates(variable))));
  }
  return problem;
}

TEST(Solvers, EliminationFindsWhatTryingEverythingFinds) {
  int64_t infeasible = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Problem problem = randomProblem(seed);
    Solution all = solveExhaustively(problem);
    auto eliminated = solveByElimination(problem);
    ASSERT_TRUE(eliminated) << "seed " << seed;
    EXPECT_EQ(eliminated->cost, all.cost) << "seed " << seed;
    EXPECT_EQ(eliminated->lowerBound, all.cost) << "seed " << seed;
    EXPECT_EQ(problem.cost(eliminated->assignment), all.cost)
        << "seed " << seed;
    EXPECT_TRUE(problem.check().ok()) << "seed " << seed;
    EXPECT_EQ(verify(problem, all).ok(), std::isfinite(all.cost));
    EXPECT_EQ(verify(problem, *eliminated).ok(), std::isfinite(all.cost));
    if (!std::isfinite(all.cost)) ++infeasible;
  }
  EXPECT_GT(infeasible, 0);
  EXPECT_LT(infeasible, 1000);
}

TEST(Solvers, LeastCostsAreThoseOfTheBestAssignmentWithEachState) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Problem problem = randomProblem(seed);
    auto least = leastCosts(problem);
    ASSERT_TRUE(least) << "seed " << seed;
    for (int64_t v = 0; v < problem.numVariables(); ++v)
      for (State state = 0; state < problem.numStates(v); ++state) {
        Problem pinned = problem;
        pin(pinned, v, state);
        EXPECT_EQ(least->with[v][state], solveExhaustively(pinned).cost)
            << "seed " << seed << ", variable " << v << ", state " << state;
      }
  }
}

TEST(Solvers, ForbidOnlyWhatCostsMoreThanACeiling) {
  int64_t forbidden = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const Problem problem = randomProblem(seed);
    const Cost ceiling = 500.0 * (1 + seed % 8);
    Problem below = problem;
    below.forbidAbove(ceiling);
    Assignment assignment(problem.numVariables(), 0);
    for (bool isLast = false; !isLast;) {
      Cost cost = problem.cost(assignment), kept = below.cost(assignment);
      if (cost <= ceiling)
        EXPECT_EQ(kept, cost) << "seed " << seed;
      else
        EXPECT_TRUE(kept == cost || kept == kInfiniteCost) << "seed " << seed;
      forbidden += kept != cost;
      int64_t v = 0;
      while (v < problem.numVariables() &&
             ++assignment[v] == problem.numStates(v))
        assignment[v++] = 0;
      isLast = v == problem.numVariables();
    }
  }
  EXPECT_GT(forbidden, 1000);
}

/// Beside costs of 10^20, ticks would be so coarse that costs below 1 vanish.
TEST(Solvers, TellCostsApartBesidePricesThatNobodyPays) {
  Problem problem;
  for (int64_t v = 0; v < 3; ++v) problem.addVariable("v", 3);
  for (int64_t v = 0; v < 3; ++v) problem.addCosts({v}, {0.3, 0.2, 1e20});
  problem.addCosts({0, 1}, {0, 1, 1, 1, 0.25, 1, 1, 1, 0});
  Problem coarse = problem;
  EXPECT_GT(coarse.roundToTicks(), 1000);
  problem.forbidAbove(1);
  EXPECT_LT(problem.roundToTicks(), 1e-14);
  auto found = solveByElimination(problem);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->cost, 0.8, 1e-14);
  EXPECT_EQ(found->assignment, (Assignment{0, 0, 1}));
}

TEST(Solvers, EliminationRefusesWhatTakesMoreThanItsLimits) {
  Problem clique;
  for (int64_t v = 0; v < 5; ++v)
    clique.addVariable("v" + std::to_string(v), 10);
  for (int64_t u = 0; u < 5; ++u)
    for (int64_t v = 0; v < u; ++v)
      clique.addCosts({u, v}, std::vector<Cost>(100, 1));
  EXPECT_FALSE(solveByElimination(clique, {/*tableEntries=*/9e3}));
  EXPECT_TRUE(solveByElimination(clique, {/*tableEntries=*/1e4}));
  EXPECT_FALSE(solveByElimination(clique, {1e4, /*work=*/1e5}));
  EXPECT_TRUE(solveByElimination(clique, {1e4, /*work=*/1.2e5}));
}

TEST(Solvers, TablesOfZerosLinkNobody) {
  Problem problem;
  for (const char* name : {"a", "b", "c"}) problem.addVariable(name, 2);
  problem.addCosts({0, 1, 2}, std::vector<Cost>(8, 0));
  problem.addCosts({1}, {2, 1});
  auto found = solveByElimination(problem, {/*tableEntries=*/1});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cost, 1);
  EXPECT_EQ(found->assignment, (Assignment{0, 1, 0}));
}

}  // namespace
}  // namespace sbp::search
