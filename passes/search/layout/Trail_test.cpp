// Values along a chain, against values that are all computed.

#include "passes/search/layout/Trail.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "gtest/gtest.h"

namespace sbp::search {
namespace {

constexpr int64_t kLayouts = 6;

/// What a block costs from each layout to each.
using Costs = std::vector<Values>;

Costs randomCosts(std::mt19937_64& random, int64_t dearest) {
  Costs costs(kLayouts, Values(kLayouts));
  for (Values& row : costs)
    for (Ticks& cost : row)
      cost = static_cast<Ticks>(random() % 8 == 0 ? random() % 50
                                                  : random() % dearest);
  return costs;
}

Values cross(const Costs& costs, Trail::Direction direction,
             const Values& values) {
  bool isForward = direction == Trail::Direction::Forward;
  Values reached(kLayouts, kNever);
  for (int64_t x = 0; x < kLayouts; ++x)
    for (int64_t y = 0; y < kLayouts; ++y) {
      Ticks& least = reached[isForward ? y : x];
      least = std::min(least, values[isForward ? x : y] + costs[x][y]);
    }
  return reached;
}

struct Compared {
  int64_t lowered = 0;    // values that are less than what they are
  double leastPart = 1;   // of what the cheapest layout of a position costs
  int64_t numValues = 0;  // that were computed
};

/// Of a random chain of two blocks.
Compared compare(std::mt19937_64& random, Trail::Direction direction,
                 int64_t dearest) {
  int64_t layers = 50;
  std::vector<Costs> costs = {randomCosts(random, dearest),
                              randomCosts(random, dearest)};
  std::vector<int64_t> blocks, periods(2 * layers, 2);
  for (int64_t i = 0; i < layers; ++i) blocks.insert(blocks.end(), {0, 1});
  Values start(kLayouts);
  for (Ticks& value : start) value = static_cast<Ticks>(random() % dearest);
  Trail trail(
      direction, start, blocks, periods, nullptr,
      [&](int64_t block, const Values& values, const std::vector<Layout>*) {
        return cross(costs[block], direction, values);
      },
      {}, /*mostPeriods=*/12);
  Compared compared;
  compared.numValues = static_cast<int64_t>(trail.numValues());
  bool isForward = direction == Trail::Direction::Forward;
  Values truth = start;
  for (int64_t i = 0; i < 2 * layers; ++i) {
    int64_t crossed = isForward ? i : 2 * layers - 1 - i;
    truth = cross(costs[blocks[crossed]], direction, truth);
    Ticks least = kNever;
    for (Layout x = 0; x < kLayouts; ++x) {
      Ticks value = trail.at(isForward ? crossed + 1 : crossed, x);
      EXPECT_LE(value, truth[x]);
      compared.lowered += value < truth[x];
      least = std::min(least, value);
    }
    Ticks leastTruth = *std::min_element(truth.begin(), truth.end());
    compared.leastPart = std::min(compared.leastPart, least / leastTruth);
  }
  return compared;
}

/// Trails of one random chain of two blocks in turns, whose values are lowered
/// soon, meet in no more than what they come to at any position.
TEST(Trail, MeetsAnotherInTheLeastOfAllPositions) {
  std::mt19937_64 random(3);
  constexpr int64_t kSteps = 100;
  std::vector<int64_t> blocks, periods(kSteps, 2), positions(kSteps + 1);
  for (int64_t p = 0; p < kSteps; ++p) blocks.push_back(p % 2);
  std::iota(positions.begin(), positions.end(), 0);
  int64_t differ = 0;
  for (int64_t i = 0; i < 300; ++i) {
    std::vector<Costs> costs = {randomCosts(random, 100'000),
                                randomCosts(random, 100'000)};
    auto trailOf = [&](Trail::Direction direction) {
      Values start(kLayouts);
      for (Ticks& value : start) value = static_cast<Ticks>(random() % 100'000);
      return Trail(
          direction, start, blocks, periods, nullptr,
          [&](int64_t block, const Values& values, const std::vector<Layout>*) {
            return cross(costs[block], direction, values);
          },
          {}, /*mostPeriods=*/3);
    };
    Trail forward = trailOf(Trail::Direction::Forward);
    Trail backward = trailOf(Trail::Direction::Backward);
    Meetings meetings = meetingsOf(forward, backward, positions, 0);
    for (int64_t p = 0; p <= kSteps; ++p) {
      const auto& [position, offset] = meetings.all[meetings.ofPosition[p]];
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

/// Most repeat before long, if only after several periods.
TEST(Trail, HasTheValuesOfAllPositions) {
  std::mt19937_64 random(1);
  int64_t areExact = 0, areFew = 0;
  for (int64_t i = 0; i < 300; ++i)
    for (auto direction :
         {Trail::Direction::Forward, Trail::Direction::Backward}) {
      Compared compared = compare(random, direction, 60);
      areExact += compared.lowered == 0;
      areFew += compared.numValues <= 30;
    }
  EXPECT_GE(areExact, 570);
  EXPECT_GE(areFew, 570);
}

/// Where it takes many blocks until they do, the cheapest lose little.
TEST(Trail, BoundsWhatTakesLongToRepeat) {
  std::mt19937_64 random(2);
  int64_t lowered = 0;
  for (int64_t i = 0; i < 300; ++i)
    for (auto direction :
         {Trail::Direction::Forward, Trail::Direction::Backward}) {
      Compared compared = compare(random, direction, 100'000);
      lowered += compared.lowered;
      EXPECT_GE(compared.leastPart, 0.9);
    }
  EXPECT_GT(lowered, 0);
}

}  // namespace
}  // namespace sbp::search
