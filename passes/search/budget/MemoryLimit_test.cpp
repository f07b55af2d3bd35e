// Under a memory limit the search finds what enumeration finds.

#include "passes/search/budget/MemoryLimit.h"

#include <cmath>
#include <random>

#include "gtest/gtest.h"
#include "passes/search/testing/Oracle.h"
#include "passes/search/testing/RandomChain.h"

namespace sbp::search {
namespace {

TEST(MemoryLimits, AreMetByThePlanThatEnumerationFinds) {
  std::mt19937_64 random(2);
  int64_t solved = 0, labelled = 0;
  while (solved < 60) {
    Chain chain = randomChain(random);
    PlacementOracle oracle(chain);
    double fewest = oracle.fewestBytes();
    if (fewest == kNever) continue;
    PricedChain priced(chain, Memory::Counted);
    MemoryLimit memory(priced, {});
    ASSERT_EQ(memory.fewestBytes(), fewest);
    // A limit between the fewest bytes and those of the fastest plan.
    double most = memory.front(1)[0].cost.bytes;
    double limit = std::floor(
        fewest + (most - fewest) * static_cast<double>(random() % 100) / 100);
    Ticks expected = oracle.optimumWithin(limit);
    LimitedAnswer answer = memory.solve(limit);
    ASSERT_EQ(answer.cost.ticks, expected) << solved;
    ASSERT_EQ(answer.lowerBound, expected);
    ASSERT_LE(answer.cost.bytes, limit);
    ASSERT_TRUE(answer.plan);
    LiftedPlan plan = liftToAxes(priced, *answer.plan);
    ASSERT_EQ(plan.cost.ticks, expected);
    ASSERT_EQ(plan.cost.bytes, answer.cost.bytes);
    labelled += answer.labelSearches > 0;
    ASSERT_EQ(memory.solve(fewest * 0.99).lowerBound, kNever);
    ++solved;
  }
  // Many limits need more than a price.
  EXPECT_GE(labelled, solved / 3);
}

TEST(MemoryLimits, HaveAFrontThatFalls) {
  std::mt19937_64 random(3);
  for (int64_t trial = 0; trial < 20; ++trial) {
    Chain chain = randomChain(random);
    if (PlacementOracle(chain).optimum() == kNever) continue;
    PricedChain priced(chain, Memory::Counted);
    std::vector<HullPlan> front = MemoryLimit(priced, {}).front(10);
    for (size_t i = 1; i < front.size(); ++i) {
      EXPECT_LT(front[i].cost.bytes, front[i - 1].cost.bytes);
      EXPECT_GE(front[i].cost.ticks, front[i - 1].cost.ticks);
    }
  }
}

}  // namespace
}  // namespace sbp::search
