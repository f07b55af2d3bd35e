// Value functions along a chain equal values that are computed at every
// position.

#include "passes/search/chain/ValueFunctions.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "passes/search/chain/SurvivingLayouts.h"

namespace sbp::search {
namespace {

constexpr int64_t kLayouts = 6;

/// Costs of a block from each layout to each.
using Costs = std::vector<Values>;

Costs randomCosts(std::mt19937_64& random, int64_t dearest,
                  int64_t layouts = kLayouts) {
  Costs costs(layouts, Values(layouts));
  for (Values& row : costs)
    for (Ticks& cost : row)
      cost = static_cast<Ticks>(random() % 8 == 0 ? random() % 50
                                                  : random() % dearest);
  return costs;
}

Values transitionsOf(const Costs& costs, ValueFunctions::Direction direction,
                     const Values& values) {
  bool isForward = direction == ValueFunctions::Direction::Forward;
  Values reached(costs.size(), kNever);
  for (size_t x = 0; x < costs.size(); ++x)
    for (size_t y = 0; y < costs.size(); ++y) {
      Ticks& least = reached[isForward ? y : x];
      least = std::min(least, values[isForward ? x : y] + costs[x][y]);
    }
  return reached;
}

struct Compared {
  int64_t lowered = 0;  // values below the exact ones
  /// least value as a fraction of the exact one, over positions
  double leastPart = 1;
  int64_t numValues = 0;  // computed by the value functions
};

/// Compares the value functions of a random chain of two blocks with the values
/// at every position.
Compared compare(std::mt19937_64& random, ValueFunctions::Direction direction,
                 int64_t dearest) {
  int64_t layers = 50;
  std::vector<Costs> costs = {randomCosts(random, dearest),
                              randomCosts(random, dearest)};
  std::vector<int64_t> blocks, periods(2 * layers, 2);
  for (int64_t i = 0; i < layers; ++i) blocks.insert(blocks.end(), {0, 1});
  Values start(kLayouts);
  for (Ticks& value : start) value = static_cast<Ticks>(random() % dearest);
  ValueFunctions functions(
      direction, start, blocks, periods, nullptr,
      [&](int64_t block, const Values& values, const std::vector<Layout>*) {
        return transitionsOf(costs[block], direction, values);
      },
      /*mostPeriods=*/12);
  Compared compared;
  compared.numValues = static_cast<int64_t>(functions.numValues());
  bool isForward = direction == ValueFunctions::Direction::Forward;
  Values truth = start;
  for (int64_t i = 0; i < 2 * layers; ++i) {
    int64_t crossed = isForward ? i : 2 * layers - 1 - i;
    truth = transitionsOf(costs[blocks[crossed]], direction, truth);
    Ticks least = kNever;
    for (Layout x = 0; x < kLayouts; ++x) {
      Ticks value = functions.at(isForward ? crossed + 1 : crossed, x);
      EXPECT_LE(value, truth[x]);
      compared.lowered += value < truth[x];
      least = std::min(least, value);
    }
    Ticks leastTruth = *std::min_element(truth.begin(), truth.end());
    compared.leastPart = std::min(compared.leastPart, least / leastTruth);
  }
  return compared;
}

/// Two value functions over a random chain of two alternating blocks, whose
/// values are lowered soon.
struct Trails {
  ValueFunctions forward, backward;
};
constexpr int64_t kSteps = 100;

Trails randomTrails(std::mt19937_64& random, int64_t layouts, int64_t dearest) {
  std::vector<int64_t> blocks, periods(kSteps, 2);
  for (int64_t p = 0; p < kSteps; ++p) blocks.push_back(p % 2);
  std::vector<Costs> costs = {randomCosts(random, dearest, layouts),
                              randomCosts(random, dearest, layouts)};
  auto trailOf = [&](ValueFunctions::Direction direction) {
    Values start(layouts);
    for (Ticks& value : start) value = static_cast<Ticks>(random() % dearest);
    return ValueFunctions(
        direction, start, blocks, periods, nullptr,
        [&](int64_t block, const Values& values, const std::vector<Layout>*) {
          return transitionsOf(costs[block], direction, values);
        },
        /*mostPeriods=*/3);
  };
  return {trailOf(ValueFunctions::Direction::Forward),
          trailOf(ValueFunctions::Direction::Backward)};
}

std::vector<int64_t> allPositions() {
  std::vector<int64_t> positions(kSteps + 1);
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}

/// Pairs of values are at most the sums of both value functions at any
/// position.
TEST(ValueFunctions, MeetsAnotherInTheLeastOfAllPositions) {
  std::mt19937_64 random(3);
  int64_t differ = 0;
  for (int64_t i = 0; i < 300; ++i) {
    auto [forward, backward] = randomTrails(random, kLayouts, 100'000);
    ValuePairs pairs = valuePairsOf(forward, backward, allPositions(), 0);
    for (int64_t p = 0; p <= kSteps; ++p) {
      const auto& [position, offset] = pairs.all[pairs.ofPosition[p]];
      for (Layout x = 0; x < kLayouts; ++x) {
        Ticks met = (*forward.valuesAt(position))[x] +
                    (*backward.valuesAt(position))[x] + offset;
        Ticks here = forward.at(p, x) + backward.at(p, x);
        EXPECT_LE(met, here);
        differ += met < here;
      }
    }
  }
  // Blocks may gain more on one side than on the other.
  EXPECT_GT(differ, 0);
}

/// Sets of layouts have all that plans below the threshold pass, and hardly
/// more. They are fewer than the pairs of value functions.
TEST(SurvivingLayouts, HasWhatPlansWithinReachPassInFewSets) {
  constexpr int64_t kMany = 150;
  std::mt19937_64 random(4);
  size_t sets = 0, pairs = 0, passed = 0, kept = 0;
  for (int64_t i = 0; i < 20; ++i) {
    auto [forward, backward] = randomTrails(random, kMany, 100);
    Values ends = *forward.valuesAt(kSteps);
    Ticks limit = *std::min_element(ends.begin(), ends.end()) +
                  forward.offsetAt(kSteps) + 8;
    SurvivingLayouts surviving(forward, backward, kSteps + 1, limit);
    std::set<int64_t> numbers;
    for (int64_t p = 0; p <= kSteps; ++p) {
      const std::vector<Layout>& layouts = surviving.layoutsAt(p);
      ASSERT_TRUE(std::is_sorted(layouts.begin(), layouts.end()));
      numbers.insert(surviving.setAt(p));
      kept += layouts.size();
      for (Layout x = 0; x < kMany; ++x) {
        if (forward.at(p, x) + backward.at(p, x) > limit) continue;
        ++passed;
        EXPECT_TRUE(std::binary_search(layouts.begin(), layouts.end(), x));
      }
    }
    sets += numbers.size();
    pairs += valuePairsOf(forward, backward, allPositions(), 0).all.size();
  }
  EXPECT_LT(sets, pairs);
  EXPECT_GT(passed, 0);
  EXPECT_LT(static_cast<double>(kept), 1.1 * static_cast<double>(passed));
}

/// Most chains repeat soon, some only after several periods.
TEST(ValueFunctions, HasTheValuesOfAllPositions) {
  std::mt19937_64 random(1);
  int64_t areExact = 0, areFew = 0;
  for (int64_t i = 0; i < 300; ++i)
    for (auto direction : {ValueFunctions::Direction::Forward,
                           ValueFunctions::Direction::Backward}) {
      Compared compared = compare(random, direction, 60);
      areExact += compared.lowered == 0;
      areFew += compared.numValues <= 30;
    }
  EXPECT_GE(areExact, 570);
  EXPECT_GE(areFew, 570);
}

/// Lowering costs the cheapest layouts little if chains repeat late.
TEST(ValueFunctions, BoundsWhatTakesLongToRepeat) {
  std::mt19937_64 random(2);
  int64_t lowered = 0;
  for (int64_t i = 0; i < 300; ++i)
    for (auto direction : {ValueFunctions::Direction::Forward,
                           ValueFunctions::Direction::Backward}) {
      Compared compared = compare(random, direction, 100'000);
      lowered += compared.lowered;
      EXPECT_GE(compared.leastPart, 0.9);
    }
  EXPECT_GT(lowered, 0);
}

}  // namespace
}  // namespace sbp::search
