// In random small problems the corners are those of the hull of all
// assignments.

#include "passes/search/solvers/TradeOffs.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace sbp::search {
namespace {

struct PricedChoices {
  Problem problem;
  Resource resource;
};

/// Returns a chain of up to six variables of up to four states, with a table
/// per variable and per pair of neighbours.
PricedChoices randomChain(uint64_t seed) {
  std::mt19937_64 random(seed);
  auto below = [&](int64_t bound) {
    return static_cast<int64_t>(random() % bound);
  };
  PricedChoices result;
  const int64_t variables = 1 + below(6);
  auto add = [&](std::vector<int64_t> scope, int64_t entries) {
    std::vector<Cost> costs;
    std::vector<double> uses;
    for (int64_t i = 0; i < entries; ++i) {
      costs.push_back(static_cast<double>(below(1000)));
      uses.push_back(static_cast<double>(below(100)));
    }
    result.problem.addCosts(std::move(scope), std::move(costs));
    result.resource.uses.push_back(std::move(uses));
  };
  for (int64_t v = 0; v < variables; ++v) {
    result.problem.addVariable("v" + std::to_string(v), 1 + below(4));
    add({v}, result.problem.numStates(v));
    if (v > 0)
      add({v - 1, v},
          result.problem.numStates(v - 1) * result.problem.numStates(v));
  }
  result.resource.limit = 100;
  result.problem.roundToTicks();
  return result;
}

/// Returns (cost, use) of all assignments.
std::vector<std::pair<double, double>> allOf(const PricedChoices& choices) {
  const Problem& problem = choices.problem;
  std::vector<std::pair<double, double>> all;
  Assignment assignment(problem.numVariables(), 0);
  while (true) {
    all.emplace_back(problem.cost(assignment),
                     choices.resource.usedBy(problem, assignment));
    int64_t v = 0;
    while (v < problem.numVariables() &&
           ++assignment[v] == problem.numStates(v))
      assignment[v++] = 0;
    if (v == problem.numVariables()) return all;
  }
}

TEST(TradeOffs, AreTheCornersOfTheHullOfAllAssignments) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const PricedChoices choices = randomChain(seed);
    auto found = tradeOffs(choices.problem, choices.resource, 1000);
    ASSERT_TRUE(found);
    auto all = allOf(choices);
    EXPECT_EQ(std::make_pair(found->front().cost, found->front().used),
              *std::min_element(all.begin(), all.end()));
    auto usesLess = [](auto a, auto b) {
      return std::make_pair(a.second, a.first) <
             std::make_pair(b.second, b.first);
    };
    EXPECT_EQ(std::make_pair(found->back().cost, found->back().used),
              *std::min_element(all.begin(), all.end(), usesLess));
    for (size_t i = 0; i + 1 < found->size(); ++i) {
      const TradeOff &a = (*found)[i], &b = (*found)[i + 1];
      EXPECT_LT(a.cost, b.cost);
      EXPECT_GT(a.used, b.used);
      // No assignment lies below the line between two neighbours.
      for (auto [cost, used] : all)
        EXPECT_GE((cost - a.cost) * (a.used - b.used) +
                      (used - a.used) * (b.cost - a.cost),
                  -1e-3 * (b.cost - a.cost) * (a.used - b.used));
    }
  }
}

TEST(TradeOffs, FewCornersHaveTheEnds) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const PricedChoices choices = randomChain(seed);
    auto all = tradeOffs(choices.problem, choices.resource, 1000);
    auto few = tradeOffs(choices.problem, choices.resource, 3);
    ASSERT_TRUE(all && few);
    EXPECT_EQ(few->size(), std::min<size_t>(all->size(), 3));
    EXPECT_EQ(few->front().used, all->front().used);
    EXPECT_EQ(few->back().used, all->back().used);
  }
}

TEST(TradeOffs, AProblemWithoutAnAllowedAssignmentHasNone) {
  Problem problem;
  problem.addVariable("v", 1);
  problem.addCosts({0}, {kInfiniteCost});
  EXPECT_FALSE(tradeOffs(problem, {{{1}}, 1}, 3));
}

}  // namespace
}  // namespace sbp::search
