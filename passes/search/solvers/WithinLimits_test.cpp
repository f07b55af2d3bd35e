// In random small problems with limits the answer is that of exhaustive search.
// If nothing fits, this is proven, or at least no bound contradicts it.

#include "passes/search/solvers/WithinLimits.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <utility>

#include "gtest/gtest.h"

namespace sbp::search {
namespace {

struct LimitedProblem {
  Problem problem;
  std::vector<Resource> resources;
};

/// Returns a problem of up to six variables of up to four states. Its tables,
/// over one to three variables, have costs and uses of one to three resources.
/// Each limit is between the least and the largest use.
LimitedProblem randomProblem(uint64_t seed) {
  std::mt19937_64 random(seed);
  auto below = [&](int64_t bound) {
    return static_cast<int64_t>(random() % bound);
  };
  LimitedProblem result;
  Problem& problem = result.problem;
  result.resources.resize(1 + below(3));
  int64_t variables = 1 + below(6);
  for (int64_t v = 0; v < variables; ++v)
    problem.addVariable("v" + std::to_string(v), 1 + below(4));
  std::vector<double> most(result.resources.size(), 1);
  for (int64_t tables = 1 + below(2 * variables); tables > 0; --tables) {
    std::vector<int64_t> scope;
    int64_t entries = 1;
    for (int64_t more = 1 + below(3); more > 0; --more) {
      int64_t variable = below(variables);
      if (std::count(scope.begin(), scope.end(), variable)) continue;
      scope.push_back(variable);
      entries *= problem.numStates(variable);
    }
    std::vector<Cost> costs;
    for (int64_t i = 0; i < entries; ++i)
      costs.push_back(below(20) == 0 ? kInfiniteCost : below(1000));
    problem.addCosts(scope, costs);
    for (size_t r = 0; r < result.resources.size(); ++r) {
      std::vector<double> uses;
      if (below(4) > 0)
        for (int64_t i = 0; i < entries; ++i) uses.push_back(below(100));
      if (!uses.empty()) most[r] += *std::max_element(uses.begin(), uses.end());
      result.resources[r].uses.push_back(std::move(uses));
    }
  }
  for (size_t r = 0; r < result.resources.size(); ++r)
    result.resources[r].limit = 1 + below(static_cast<int64_t>(most[r]));
  return result;
}

/// Returns the cost of the cheapest assignment that fits, by trying all;
/// infinity if none fits.
Cost cheapestThatFits(const LimitedProblem& limited) {
  const Problem& problem = limited.problem;
  Cost least = kInfiniteCost;
  Assignment assignment(problem.numVariables(), 0);
  while (true) {
    bool fits = true;
    for (const Resource& resource : limited.resources)
      fits &= resource.usedBy(problem, assignment) <= resource.limit;
    if (fits) least = std::min(least, problem.cost(assignment));
    int64_t v = problem.numVariables();
    while (v > 0 && ++assignment[v - 1] == problem.numStates(v - 1))
      assignment[--v] = 0;
    if (v == 0) return least;
  }
}

/// Whether limits are given from the start, or each one when an answer breaks
/// it.
enum class Limits { Known, TurnUp };

/// Limits that are returned one by one, when an assignment breaks them.
struct Unknown {
  const Problem& problem;
  std::vector<Resource> limits;
  int64_t turnedUp = 0;

  std::optional<Resource> operator()(const Assignment& assignment) {
    for (auto it = limits.begin(); it != limits.end(); ++it) {
      if (it->usedBy(problem, assignment) <= it->limit) continue;
      Resource broken = std::move(*it);
      limits.erase(it);
      ++turnedUp;
      return broken;
    }
    return std::nullopt;
  }
};

void expectTheAnswerOfTryingEverything(Limits limits, double fewLabels) {
  int64_t binding = 0, infeasible = 0, provenInfeasible = 0, turnedUp = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    LimitedProblem limited = randomProblem(seed);
    const Problem& problem = limited.problem;
    Cost expected = cheapestThatFits(limited);
    std::vector<Resource> known;
    Unknown unknown{problem, limited.resources};
    if (limits == Limits::Known) known.swap(unknown.limits);
    auto found = solveWithinLimits(problem, known, std::ref(unknown), {}, {},
                                   kMaxLabels, fewLabels);
    turnedUp += unknown.turnedUp;
    ASSERT_TRUE(found) << "seed " << seed;
    bool isAllowed = found->fits && std::isfinite(found->cost);
    EXPECT_EQ(isAllowed, std::isfinite(expected)) << "seed " << seed;
    if (!std::isfinite(expected)) {
      ++infeasible;
      if (found->excess > 0) ++provenInfeasible;
      continue;
    }
    EXPECT_EQ(found->cost, expected) << "seed " << seed;
    EXPECT_EQ(problem.cost(found->assignment), expected);
    EXPECT_EQ(found->lowerBound, expected) << "seed " << seed;
    EXPECT_EQ(found->excess, 0) << "seed " << seed;
    LimitedProblem free{problem, {}};
    if (cheapestThatFits(free) < expected) ++binding;
  }
  EXPECT_GT(binding, 400);
  EXPECT_GT(infeasible, 300);
  EXPECT_GT(provenInfeasible, infeasible / 2);
  if (limits == Limits::TurnUp) EXPECT_GT(turnedUp, 1000);
}

TEST(WithinLimits, TheAnswerIsThatOfTryingEverything) {
  expectTheAnswerOfTryingEverything(Limits::Known, kFewLabels);
}

TEST(WithinLimits, SoItIsWhereLabelsAreBoundedAtSeveralPrices) {
  expectTheAnswerOfTryingEverything(Limits::Known, /*fewLabels=*/0);
}

TEST(WithinLimits, SoItIsWhereLimitsTurnUp) {
  expectTheAnswerOfTryingEverything(Limits::TurnUp, kFewLabels);
  expectTheAnswerOfTryingEverything(Limits::TurnUp, /*fewLabels=*/0);
}

TEST(WithinLimits, WhatCostsAsMuchAsTheCeilingIsNotLookedFor) {
  int64_t below = 0, above = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    LimitedProblem limited = randomProblem(seed);
    Cost expected = cheapestThatFits(limited);
    if (!std::isfinite(expected)) continue;
    for (Cost ceiling : {0.9 * expected, expected, expected + 1}) {
      auto found = solveWithinLimits(
          limited.problem, {}, Unknown{limited.problem, limited.resources},
          {/*least=*/seed % 2 == 0 ? 0 : 0.8 * expected, ceiling});
      ASSERT_TRUE(found) << "seed " << seed;
      EXPECT_EQ(found->lowerBound, std::min(expected, ceiling))
          << "seed " << seed;
      if (ceiling <= expected) {
        ++above;
        continue;
      }
      ++below;
      EXPECT_TRUE(found->fits) << "seed " << seed;
      EXPECT_EQ(found->cost, expected) << "seed " << seed;
    }
  }
  EXPECT_GT(below, 1000);
  EXPECT_GT(above, 2000);
}

TEST(WithinLimits, LeastCostsAreTheSameWithWhatOtherLimitsKnew) {
  int64_t binding = 0, excluded = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    LimitedProblem limited = randomProblem(seed);
    Cost expected = cheapestThatFits(limited);
    auto least = leastCostsWithin(limited.problem, limited.resources);
    ASSERT_TRUE(least) << "seed " << seed;
    std::vector<Resource> wider = limited.resources;
    for (Resource& resource : wider) resource.limit *= 1.2;
    auto ofWider = leastCostsWithin(limited.problem, wider);
    ASSERT_TRUE(ofWider) << "seed " << seed;
    auto again =
        leastCostsWithin(limited.problem, limited.resources, ofWider->near);
    ASSERT_TRUE(again) << "seed " << seed;

    EXPECT_EQ(again->excess > 0, least->excess > 0) << "seed " << seed;
    if (least->excess > 0 || std::isinf(least->lowerBound)) {
      ++excluded;
      EXPECT_EQ(expected, kInfiniteCost) << "seed " << seed;
      continue;
    }
    double bound = least->lowerBound;
    EXPECT_NEAR(again->lowerBound, bound, 1e-6 * bound) << "seed " << seed;
    EXPECT_LE(again->lowerBound, expected * (1 + 1e-9)) << "seed " << seed;
    if (ofWider->lowerBound < bound) ++binding;
    ASSERT_FALSE(again->near.empty()) << "seed " << seed;
    for (int64_t v = 0; v < limited.problem.numVariables(); ++v) {
      const std::vector<Cost>& with = again->with[v];
      for (size_t state = 0; state < with.size(); ++state) {
        LimitedProblem pinned = limited;
        std::vector<Cost> only(with.size(), kInfiniteCost);
        only[state] = 0;
        pinned.problem.addCosts({v}, std::move(only));
        EXPECT_LE(with[state], cheapestThatFits(pinned) * (1 + 1e-9))
            << "seed " << seed;
      }
    }
  }
  EXPECT_GT(binding, 200);
  EXPECT_GT(excluded, 300);
}

TEST(WithinLimits, AKnapsackOfEqualItemsNeedsFewLabels) {
  // 200 parameters, each whole with 4 bytes, or split with 1 byte and 7 seconds
  // more. The answer splits as few as possible.
  LimitedProblem limited;
  Resource bytes;
  for (int64_t v = 0; v < 200; ++v) {
    limited.problem.addVariable("w" + std::to_string(v), 2);
    limited.problem.addCosts({v}, {1000, 1007});
    bytes.uses.push_back({4, 1});
  }
  bytes.limit = 500;
  auto found = solveWithinLimits(limited.problem, {bytes});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->fits);
  EXPECT_EQ(found->cost, 200 * 1000 + 100 * 7);
  EXPECT_TRUE(found->isOptimal());
}

TEST(WithinLimits, AnAnswerTakesPartsOfOthersWhereThereAreNoLabels) {
  // Parameters of several sizes, each whole or split as above. The only known
  // plans treat all parameters alike.
  LimitedProblem limited;
  Resource bytes;
  double all = 0;
  for (int64_t v = 0; v < 200; ++v) {
    double size = 1 + v % 7;
    limited.problem.addVariable("w" + std::to_string(v), 2);
    limited.problem.addCosts({v}, {0, 7 * size});
    bytes.uses.push_back({4 * size, size});
    all += size;
  }
  bytes.limit = 2.5 * all;
  auto found = solveWithinLimits(limited.problem, {bytes}, {}, {}, {},
                                 /*maxLabels=*/0, /*fewLabels=*/0);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->fits);
  EXPECT_LE(found->cost, 1.01 * 7 * all / 2);
}

TEST(WithinLimits, MixturesThatAreForNothingEndToo) {
  // Each of two states costs nothing and uses twice the limit of one resource.
  // A mixture of half of each fits.
  LimitedProblem limited;
  limited.problem.addVariable("w", 3);
  limited.problem.addCosts({0}, {0, 0, 5});
  limited.resources = {{{{2, 0, 1}}, 1}, {{{0, 2, 1}}, 1}};
  auto found = solveWithinLimits(limited.problem, limited.resources);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->fits);
  EXPECT_EQ(found->cost, 5);
}

}  // namespace
}  // namespace sbp::search
