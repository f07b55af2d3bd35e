// Values over rows that are known in part are bounds, and tighter ones than
// values without these rows.

#include "passes/search/chain/Rows.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "passes/search/testing/RandomChain.h"

namespace sbp::search {
namespace {

/// Returns a random fraction of `ticks`, in whole ticks.
Ticks randomPart(std::mt19937_64& random, Ticks ticks) {
  return std::floor(ticks * static_cast<double>(random() % 1000) / 1000);
}

/// Returns values of `size` layouts. About one in `oneIn` is random, at most
/// `most`; the others are never.
Values randomValues(std::mt19937_64& random, size_t size, uint64_t oneIn,
                    Ticks most) {
  Values values(size, kNever);
  for (Ticks& value : values)
    if (random() % oneIn == 0) value = randomPart(random, most);
  return values;
}

/// Returns the entries of a row that, with the cost behind, are at most
/// `others`.
Row partOf(const Values& whole, Ticks others,
           const std::shared_ptr<const Values>& behind) {
  Row part;
  part.isWhole = false;
  part.threshold = 0;
  part.others = others;
  part.behind = behind;
  for (size_t y = 0; y < whole.size(); ++y)
    if (whole[y] + (*behind)[y] <= others) {
      part.to.push_back(static_cast<Layout>(y));
      part.ticks.push_back(whole[y]);
    }
  return part;
}

/// All entries of a block; rows with none of them, and with some of them.
struct Known {
  Known(const PricedChain& priced, int64_t block, std::mt19937_64& random)
      : all(priced), none(priced), parts(priced) {
    auto size = static_cast<size_t>(priced.space().numLayouts());
    std::vector<Values> entries;
    for (Layout x = 0; x < priced.space().numLayouts(); ++x) {
      entries.push_back(all.countedRow(block, x));
      Row whole;
      whole.ticks = entries.back();
      all.set(block, x, std::move(whole));
      for (Ticks ticks : entries.back())
        if (ticks < kNever) dearest = std::max(dearest, ticks);
    }
    // Two groups of rows that share costs behind.
    for (int group = 0; group < 2; ++group) {
      Values left = randomValues(random, size, 2, dearest / 4);
      for (Ticks& value : left) value = std::min(value, dearest);
      std::shared_ptr<const Values> behind = parts.share(block, left);
      for (Layout x = 0; x < priced.space().numLayouts(); ++x)
        if (static_cast<int>(random() % 3) == group)
          parts.set(block, x,
                    partOf(entries[x], randomPart(random, dearest), behind));
    }
  }

  Rows all, none, parts;
  Ticks dearest = 0;
};

/// Returns how many of the bounds are above those without rows. Expects that
/// none is above the true value or below the bound without rows.
int64_t numRaised(const PricedChain& priced, const Values& truth,
                  const Values& bounds, const Values& without) {
  int64_t raised = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    if (priced.addition()[i] == kNever) continue;
    EXPECT_LE(bounds[i], truth[i]);
    EXPECT_GE(bounds[i], without[i]);
    raised += bounds[i] > without[i];
  }
  return raised;
}

/// Calls `test(priced, block, known, values)` for blocks of random chains.
template <typename Test>
void forRandomBlocks(std::mt19937_64& random, int number, const Test& test) {
  for (int tested = 0; tested < number;) {
    Chain chain = randomChain(random);
    if (chain.blocks.empty()) continue;
    PricedChain priced(chain, Memory::Ignored);
    auto block = static_cast<int64_t>(random() % chain.blocks.size());
    Known known(priced, block, random);
    auto size = static_cast<size_t>(priced.space().numLayouts());
    Values values = randomValues(random, size, 6, known.dearest / 4);
    for (size_t i = 0; i < size; ++i)
      if (priced.addition()[i] == kNever) values[i] = kNever;
    test(priced, block, known, values);
    ++tested;
  }
}

/// Expects that the rows of `boundedBy` bound values that are carried both
/// ways, and more tightly than no rows.
template <typename BoundedBy>
void expectRaised(std::mt19937_64& random, int number,
                  const BoundedBy& boundedBy) {
  int64_t raisedAhead = 0, raisedBack = 0;
  forRandomBlocks(random, number,
                  [&](const PricedChain& priced, int64_t block,
                      const Known& known, const Values& values) {
                    Rows rows = boundedBy(priced, block, known, values);
                    raisedAhead += numRaised(
                        priced, known.all.advance(block, values, kNever),
                        rows.advance(block, values, kNever),
                        known.none.advance(block, values, kNever));
                    raisedBack += numRaised(
                        priced, known.all.retreat(block, values, kNever),
                        rows.retreat(block, values, kNever),
                        known.none.retreat(block, values, kNever));
                  });
  EXPECT_GE(raisedAhead, 100);
  EXPECT_GE(raisedBack, 100);
}

TEST(Rows, KnownInPartBoundWhatTheyLeaveOut) {
  std::mt19937_64 random(3);
  expectRaised(random, 600,
               [](const PricedChain&, int64_t, const Known& known,
                  const Values&) { return known.parts; });
}

TEST(Rows, FoundAgainKeepWhatWasKnown) {
  std::mt19937_64 random(6);
  Chain chain = randomChain(random);
  while (chain.blocks.empty()) chain = randomChain(random);
  PricedChain priced(chain, Memory::Ignored);
  Rows rows(priced);
  Row wide, narrow;
  wide.isWhole = narrow.isWhole = false;
  wide.to = {1, 3, 4};
  wide.ticks = {10, 30, 40};
  narrow.to = {0, 3};
  narrow.ticks = {5, 35};  // 3 has been lifted meanwhile
  rows.setPart(0, 2, wide);
  rows.setPart(0, 2, narrow);
  const Row& row = rows.ofBlock(0).at(2);
  EXPECT_EQ(row.to, std::vector<Layout>({0, 1, 3, 4}));
  EXPECT_EQ(row.ticks, Values({5, 10, 35, 40}));
}

TEST(Rows, CarryToFewLayoutsWhatTheyCarryToAll) {
  std::mt19937_64 random(5);
  int64_t carried = 0;
  forRandomBlocks(
      random, 300,
      [&](const PricedChain& priced, int64_t block, const Known& known,
          const Values& values) {
        std::vector<Layout> few = {
            static_cast<Layout>(random() % priced.space().numLayouts())};
        StepWithin within{few, [] { return nullptr; }};
        if (!known.parts.areFew(few.size())) return;
        // Up to the threshold of the rows, and beyond it.
        for (Ticks threshold : {Ticks{0}, kNever}) {
          Values ahead = known.parts.advance(block, values, threshold);
          Values back = known.parts.retreat(block, values, threshold);
          EXPECT_EQ(
              known.parts.advance(block, values, threshold, &within)[few[0]],
              ahead[few[0]]);
          EXPECT_EQ(
              known.parts.retreat(block, values, threshold, &within)[few[0]],
              back[few[0]]);
        }
        ++carried;
      });
  EXPECT_GE(carried, 100);
}

}  // namespace
}  // namespace sbp::search
