// Pruned elimination finds an assignment as cheap as that of elimination, and
// messages bound the min-marginals from below.

#include "passes/search/solvers/PrunedElimination.h"

#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "passes/search/solvers/Elimination.h"
#include "passes/search/solvers/TableMessages.h"

namespace sbp::search {
namespace {

/// Returns ten variables of up to seven states, with tables over one to three
/// of them. One entry in `forbidden` is forbidden, if not 0. Costs of entries
/// are multiples of 1 / 8 below 100; some are much higher.
Problem randomProblem(uint64_t seed, int64_t forbidden) {
  std::mt19937_64 random(seed);
  auto below = [&](int64_t bound) {
    return static_cast<int64_t>(random() % bound);
  };
  Problem problem;
  constexpr int64_t kVariables = 10;
  for (int64_t v = 0; v < kVariables; ++v)
    problem.addVariable("v" + std::to_string(v), 1 + below(7));
  auto add = [&](std::vector<int64_t> variables) {
    int64_t entries = 1;
    for (int64_t v : variables) entries *= problem.numStates(v);
    std::vector<Cost> costs;
    for (int64_t i = 0; i < entries; ++i) {
      costs.push_back(static_cast<double>(below(800)) / 8);
      if (below(20) == 0) costs.back() *= 1000;
      if (forbidden > 0 && below(forbidden) == 0) costs.back() = kInfiniteCost;
    }
    problem.addCosts(std::move(variables), std::move(costs));
  };
  for (int64_t v = 0; v < kVariables; ++v) add({v});
  for (int64_t table = 0; table < 16; ++table) {
    const int64_t a = below(kVariables), b = below(kVariables),
                  c = below(kVariables);
    if (a == b) continue;
    if (c != a && c != b && below(2) == 0)
      add({a, b, c});
    else
      add({b, a});
  }
  return problem;
}

std::vector<int64_t> allVariables(const Problem& problem) {
  std::vector<int64_t> order(problem.numVariables());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

TEST(PrunedElimination, FindsAnAssignmentAsCheapAsElimination) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = randomProblem(seed, seed % 3 == 0 ? 30 : 0);
    auto all = solveByElimination(problem);
    auto pruned = solveByPrunedElimination(problem);
    ASSERT_TRUE(all && pruned);
    EXPECT_EQ(pruned->cost, all->cost);
    if (all->cost < kInfiniteCost)
      EXPECT_TRUE(verify(problem, *pruned).ok()) << verify(problem, *pruned);
  }
}

TEST(TableMessages, BoundTheMinMarginalsFromBelow) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = randomProblem(seed, seed % 3 == 0 ? 30 : 0);
    auto least = leastCosts(problem);
    ASSERT_TRUE(least);
    if (least->cheapest.cost == kInfiniteCost) continue;
    TableMessages messages(problem, allVariables(problem));
    Cost before = 0;
    for (int sweep = 0; sweep < 8; ++sweep) {
      messages.sweep();
      EXPECT_GE(messages.bound(), before * (1 - 1e-9));
      before = messages.bound();
    }
    EXPECT_LE(before, least->cheapest.cost * (1 + 1e-9));
    for (int64_t v = 0; v < problem.numVariables(); ++v)
      for (int64_t state = 0; state < problem.numStates(v); ++state)
        EXPECT_LE(messages.with(v)[state], least->with[v][state] + 1e-6);
    EXPECT_LE(least->cheapest.cost, problem.cost(messages.guess()));
  }
}

TEST(TableMessages, FindTheOptimumOfAChain) {
  Problem chain;
  for (int64_t v = 0; v < 5; ++v) chain.addVariable("v", 3);
  for (int64_t v = 1; v < 5; ++v)
    chain.addCosts({v - 1, v}, {4, 1, 7, 2, 9, 3, 8, 6, 5});
  auto optimum = solveByElimination(chain);
  ASSERT_TRUE(optimum);
  TableMessages messages(chain, allVariables(chain));
  messages.sweep();
  EXPECT_NEAR(messages.bound(), optimum->cost, 1e-9);
  EXPECT_EQ(chain.cost(messages.guess()), optimum->cost);
}

}  // namespace
}  // namespace sbp::search
