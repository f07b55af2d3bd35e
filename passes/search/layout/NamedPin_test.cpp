// The cheapest way with a pin does not depend on earlier queries.

#include "passes/search/layout/NamedPin.h"

#include <cmath>
#include <random>

#include "gtest/gtest.h"
#include "passes/search/layout/testing/RandomChain.h"

namespace sbp::search {
namespace {

/// A pin of a random chain, and the costs before and after its block.
struct Question {
  const PricedChain& priced;
  const PinnedWalk& pinned;
  FewMoves ahead, back;
  Values come, rest;

  NamedPin named() const {
    return NamedPin(priced, pinned, ahead, back, come, rest);
  }
};

/// Returns a random part of a block's cost, in whole ticks.
Ticks someOf(std::mt19937_64& random, Ticks cost) {
  return std::floor(cost * static_cast<double>(random() % 1000) / 8000);
}

/// Calls `test(question)` for some pins that can run.
template <typename Test>
void forRandomPins(std::mt19937_64& random, int64_t number, const Test& test) {
  for (int64_t tested = 0; tested < number;) {
    Chain chain = randomChain(random);
    PricedChain priced(chain, Memory::Ignored);
    if (priced.numSteps() == 0) continue;
    auto position = static_cast<int64_t>(random() % priced.numSteps());
    const Walk& walk = priced.block(priced.blockAt(position));
    auto op = static_cast<int64_t>(random() % walk.numOps());
    auto result = static_cast<Layout>(random() % priced.space().numLayouts());
    PinnedWalk pinned(priced, {position, op, result});
    if (!pinned.canRun()) continue;
    int64_t numLayouts = priced.space().numLayouts();
    Question question{
        priced,
        pinned,
        FewMoves(priced.terrain().wholeMoves()),
        FewMoves(priced.terrain().wholeMoves(), FewMoves::Direction::Backward),
        Values(numLayouts, 0),
        Values(numLayouts, 0)};
    Ticks cost = question.named().counted().cost;
    if (cost == kNever) continue;
    for (Values* outside : {&question.come, &question.rest})
      for (Ticks& ticks : *outside) ticks = someOf(random, cost);
    test(question);
    ++tested;
  }
}

/// Limits rise and fall, and costs outside the block are raised.
TEST(NamedPin, FindsTheCheapestWayWhateverWasAskedBefore) {
  std::mt19937_64 random(9);
  int64_t found = 0, dearer = 0, raised = 0;
  forRandomPins(random, 2000, [&](Question& question) {
    NamedPin asked = question.named();
    Ticks counted = asked.counted().cost;
    Ticks offeredLimit = kNever;
    for (int64_t step = 0; step < 12; ++step) {
      Ticks limit = offeredLimit;
      if (limit == kNever)
        limit = std::floor(counted *
                           (1 + static_cast<double>(random() % 64) / 128));
      offeredLimit = kNever;
      NamedPin fresh = question.named();
      auto way = asked.cheapest(limit), expected = fresh.cheapest(limit);
      ASSERT_TRUE(way && expected);
      ASSERT_EQ(way->cost, expected->cost);
      if (way->cost == kNever) {
        // A longer skip between the layouts that were followed is a way, but
        // perhaps not the cheapest one.
        NamedPin::Way offered = asked.offered(2 * limit);
        if (offered.cost < kNever) {
          ASSERT_GE(offered.cost, fresh.cheapest(2 * limit)->cost);
          offeredLimit = offered.cost;
        }
        continue;
      }
      ++found;
      dearer += way->cost > fresh.counted().cost;
      Ticks more = someOf(random, counted);
      if (random() % 2 == 0) {
        raised += asked.raiseCome(way->from, way->come + more);
        question.come[way->from] += more;
      } else {
        raised += asked.raiseRest(way->to, way->rest + more);
        question.rest[way->to] += more;
      }
    }
  });
  EXPECT_GE(found, 1000);
  EXPECT_GE(raised, 1000);
  // For some pins, counts of axes promise too little.
  EXPECT_GE(dearer, 30);
}

}  // namespace
}  // namespace sbp::search
