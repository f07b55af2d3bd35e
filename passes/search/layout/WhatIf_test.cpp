// A pin costs as much as the optimum of a search in which the op has one state.

#include "passes/search/layout/WhatIf.h"

#include <random>

#include "gtest/gtest.h"
#include "passes/search/layout/testing/Oracle.h"
#include "passes/search/layout/testing/RandomChain.h"

namespace sbp::search {
namespace {

/// Returns the chain with op `op` of the block after `position` pinned.
Chain withPin(const Chain& chain, int64_t position, int64_t op, Layout pinned) {
  Chain made = chain;
  std::vector<int64_t> sequence = chain.sequence();
  Block block = chain.blocks[sequence[position]];
  block.ops[op].allows = [pinned](const LayoutSpace& space, Layout layout) {
    if (space.terms() == Terms::Allowed) return layout == pinned;
    std::vector<Kind> kinds;
    for (Kind kind = 0; kind < space.numKinds(); ++kind) kinds.push_back(kind);
    LayoutSpace whole(space.levels(), space.numDims());
    std::vector<int64_t> classes;
    for (size_t c = 0; c < space.classes().size(); ++c) classes.push_back(c);
    return Relabelling(space, whole, kinds, classes)(layout) == pinned;
  };
  made.blocks.push_back(block);
  sequence[position] = static_cast<int64_t>(made.blocks.size()) - 1;
  made.body = {{sequence, 1}};
  return made;
}

/// Returns a pin of a random op to a random layout, whether the op can run so
/// or not.
Pin randomPin(std::mt19937_64& random, const PricedChain& priced) {
  auto position = static_cast<int64_t>(random() % priced.numSteps());
  const Walk& walk = priced.block(priced.blockAt(position));
  auto op = static_cast<int64_t>(random() % walk.numOps());
  return {position, op,
          static_cast<Layout>(random() % priced.space().numLayouts())};
}

/// Calls `test(answer, pinned)` for `perChain` pins of each of some random
/// chains; `pinned` is the chain with the pin as a restriction.
template <typename Test>
void forRandomPins(uint64_t seed, int64_t number, int64_t perChain,
                   ExactOptions options, const Test& test) {
  std::mt19937_64 random(seed);
  for (int64_t asked = 0; asked < number;) {
    Chain chain = randomChain(random);
    PricedChain priced(chain, Memory::Ignored);
    if (priced.space().numLayouts() > 300) continue;
    ExactSearch search(priced, options);
    if (search.solve().optimum == kNever) continue;
    WhatIf whatIf(priced, search);
    for (int64_t i = 0; i < perChain; ++i, ++asked) {
      Pin pin = randomPin(random, priced);
      Chain pinned = withPin(chain, pin.position, pin.op, pin.result);
      test(whatIf.ask(pin), PricedChain(pinned, Memory::Ignored));
    }
  }
}

/// Costs are those of named axes, also if counts promise too much.
TEST(Pins, CostWhatASearchWithThemCosts) {
  int64_t isRaised = 0;
  forRandomPins(
      /*seed=*/4, /*number=*/300, /*perChain=*/5, ExactOptions(),
      [&](const PinAnswer& answer, const PricedChain& pinned) {
        Ticks expected = ExactSearch(pinned).solve().optimum;
        ASSERT_LE(answer.lowerBound, expected);
        ASSERT_GE(answer.cost, expected);
        if (expected == kNever) return;
        EXPECT_TRUE(answer.isExact());
        ExactOptions counts;
        counts.certifies = false;
        isRaised += ExactSearch(pinned, counts).solve().optimum < expected;
      });
  EXPECT_GE(isRaised, 1);
}

/// On large machines there is memory for few whole rows only.
TEST(Pins, CostTheSameWhereRowsAreKeptInParts) {
  ExactOptions options;
  options.mostEntries = 0;
  forRandomPins(/*seed=*/6, /*number=*/60, /*perChain=*/3, options,
                [&](const PinAnswer& answer, const PricedChain& pinned) {
                  EXPECT_TRUE(answer.isExact());
                  EXPECT_EQ(answer.cost, ExactSearch(pinned).solve().optimum);
                });
}

/// A pin is a restriction like any other: enumeration agrees.
TEST(Pins, RestrictASearchAsTheyRestrictEnumeration) {
  std::mt19937_64 random(5);
  int64_t solved = 0;
  while (solved < 100) {
    Chain chain = randomChain(random);
    LayoutSpace space(chain.levels, chain.numDims());
    if (space.numLayouts() > 150) continue;
    auto position = static_cast<int64_t>(random() % chain.sequence().size());
    const Block& block = chain.blocks[chain.sequence()[position]];
    Chain pinned = withPin(chain, position, random() % block.ops.size(),
                           static_cast<Layout>(random() % space.numLayouts()));
    Ticks expected = NamedOracle(pinned).optimum();
    PricedChain priced(pinned, Memory::Ignored);
    ASSERT_EQ(ExactSearch(priced).solve().optimum, expected);
    solved += expected < kNever;
  }
}

}  // namespace
}  // namespace sbp::search
