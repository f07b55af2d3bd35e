// A chain with pins is searched like any other, with and without a memory
// limit.

#include "passes/search/layout/Pins.h"

#include <cmath>
#include <random>

#include "gtest/gtest.h"
#include "passes/search/layout/ExactSearch.h"
#include "passes/search/layout/MemoryLimit.h"
#include "passes/search/layout/PinConflict.h"
#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/testing/Oracle.h"
#include "passes/search/layout/testing/RandomChain.h"

namespace sbp::search {
namespace {

/// Returns the chain with the pins as filters, for the oracle.
Chain filtered(const PinnedChain& pinned) {
  Chain chain = pinned.chain;
  size_t first = chain.blocks.size() - pinned.added.size();
  for (size_t i = 0; i < pinned.added.size(); ++i)
    for (auto [op, result] : pinned.added[i].results) {
      Op& own = chain.blocks[first + i].ops[op];
      own.allows = [before = own.allows, result = result](
                       const LayoutSpace& space, Layout layout) {
        if (before && !before(space, layout)) return false;
        LayoutSpace whole(space.levels(), space.numDims());
        for (size_t c = 0; c < space.classes().size(); ++c)
          for (Kind kind = 0; kind < whole.numKinds(); ++kind) {
            int64_t number =
                kind < space.numKinds() ? space.count(layout, c, kind) : 0;
            if (number != whole.count(result, c, kind)) return false;
          }
        return true;
      };
    }
  return chain;
}

std::vector<Pin> randomPins(std::mt19937_64& random, const Chain& chain,
                            int64_t numLayouts) {
  std::vector<Pin> pins;
  std::vector<int64_t> sequence = chain.sequence();
  for (uint64_t left = 1 + random() % 2; left > 0; --left) {
    auto position = static_cast<int64_t>(random() % sequence.size());
    const Block& block = chain.blocks[sequence[position]];
    pins.push_back({position, static_cast<int64_t>(random() % block.ops.size()),
                    static_cast<Layout>(random() % numLayouts)});
  }
  return pins;
}

TEST(PinnedChains, CostWhatEnumerationWithFiltersCosts) {
  std::mt19937_64 random(6);
  int64_t solved = 0, within = 0, conflicts = 0;
  while (solved < 50) {
    Chain chain = randomChain(random);
    PricedChain free(chain, Memory::Counted);
    std::vector<Pin> pins =
        randomPins(random, chain, free.space().numLayouts());
    PinnedChain pinned = withPins(chain, pins);
    PricedChain priced(free, pinned);
    Chain oracleChain = filtered(pinned);
    NamedOracle oracle(oracleChain);
    Ticks expected = oracle.optimum();
    ASSERT_EQ(ExactSearch(priced).solve().optimum, expected);
    double fewest = MemoryLimit(free, {}).fewestBytes();
    if (expected == kNever) {
      if (fewest < kNever) {
        std::optional<PinConflict> conflict =
            conflictOf(free, pins, fewest, kNever);
        conflicts += conflict.has_value();
      }
      continue;
    }
    ++solved;
    double least = oracle.fewestBytes();
    MemoryLimit memory(priced, {});
    ASSERT_EQ(memory.fewestBytes(), least);
    double limit = std::floor(least * (1 + 0.01 * (random() % 50)));
    ASSERT_FALSE(conflictOf(free, pins, fewest, limit));
    LimitedAnswer answer = memory.solve(limit);
    ASSERT_EQ(answer.cost.ticks, oracle.optimumWithin(limit));
    ASSERT_EQ(answer.lowerBound, answer.cost.ticks);
    ++within;
    if (least == fewest) continue;
    // With a little less memory, the conflict has the pins to blame, and the
    // bytes that plans with them need.
    double tooLittle = std::max(fewest, least - 1);
    std::optional<PinConflict> conflict =
        conflictOf(free, pins, fewest, tooLittle);
    ASSERT_TRUE(conflict);
    ASSERT_FALSE(conflict->pins.empty());
    std::vector<Pin> blamed;
    for (size_t i : conflict->pins) blamed.push_back(pins[i]);
    PinnedChain alone = withPins(chain, blamed);
    PricedChain pricedAlone(free, alone);
    ASSERT_EQ(MemoryLimit(pricedAlone, {}).fewestBytes(),
              conflict->fewestBytes);
    ASSERT_GT(conflict->fewestBytes, tooLittle);
    // Without any one of the pins there is a plan.
    for (size_t missed = 0; missed < blamed.size(); ++missed) {
      std::vector<Pin> fewer = blamed;
      fewer.erase(fewer.begin() + missed);
      ASSERT_FALSE(conflictOf(free, fewer, fewest, tooLittle));
    }
    ++conflicts;
  }
  EXPECT_GE(within, 50);
  EXPECT_GE(conflicts, 10);
}

}  // namespace
}  // namespace sbp::search
