// Slow machines are searched as exactly as fast ones.

#include "passes/search/chain/Units.h"

#include <utility>

#include "gtest/gtest.h"
#include "passes/search/budget/MemoryLimit.h"
#include "passes/search/chain/PricedChain.h"
#include "passes/search/refinement/ExactSearch.h"
#include "tools/lab/Gpt.h"

namespace sbp::search {
namespace {

/// Returns GPT-3 on 4 nodes of 2 devices that do everything `slowness` times
/// slower.
Chain gptOn4By2(double slowness) {
  return chainOf(Gpt(),
                 {{4, {1e-5 * slowness, 4e-11 * slowness}},
                  {2, {3e-6 * slowness, 3.3e-12 * slowness}}},
                 {400e12 / slowness, 3e12 / slowness});
}

TEST(Units, AreSecondsWhereStepsTakeMinutes) {
  EXPECT_EQ(inFittingUnit(gptOn4By2(1e-3)).secondsPerUnit, 1);
}

TEST(Units, AreLongerWhereStepsTakeLonger) {
  // Slower by exactly this factor.
  for (double slowness : {0x1p10, 0x1p40, 0x1p80}) {
    Chain fast = inFittingUnit(gptOn4By2(1));
    Chain slow = inFittingUnit(gptOn4By2(slowness));
    EXPECT_EQ(slow.secondsPerUnit, slowness * fast.secondsPerUnit);
    PricedChain pricedFast(fast, Memory::Ignored);
    PricedChain pricedSlow(slow, Memory::Ignored);
    ExactAnswer expected = ExactSearch(pricedFast).solve();
    ExactAnswer answer = ExactSearch(pricedSlow).solve();
    EXPECT_TRUE(answer.isCertified);
    EXPECT_EQ(answer.lowerBound, answer.optimum);
    EXPECT_EQ(secondsOf(slow, answer.optimum),
              slowness * secondsOf(fast, expected.optimum));
  }
}

/// A step takes half a day here. In picoseconds, sums would be rounded, and no
/// bound would meet a cost.
TEST(Units, LetBoundsMeetCostsOnSlowDevices) {
  Chain chain =
      chainOf(Gpt(), {{4, {1e-5, 4e-11}}, {2, {3e-6, 3.3e-12}}}, {1e13, 1e10});
  chain = inFittingUnit(std::move(chain));
  PricedChain priced(chain, Memory::Counted);
  ExactAnswer answer = ExactSearch(priced).solve();
  EXPECT_TRUE(answer.isCertified);
  EXPECT_EQ(answer.lowerBound, answer.optimum);
  EXPECT_GT(secondsOf(chain, answer.optimum), 4e4);
  LimitedAnswer limited = MemoryLimit(priced, {}).solve(1e12);
  EXPECT_EQ(limited.lowerBound, limited.cost.ticks);
}

}  // namespace
}  // namespace sbp::search
