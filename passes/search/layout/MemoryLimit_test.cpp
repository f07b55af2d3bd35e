// Under a memory limit, bounds are bounds and plans are plans.

#include "passes/search/layout/MemoryLimit.h"

#include <random>

#include "gtest/gtest.h"
#include "passes/search/layout/Oracle.h"

namespace sbp::search {
namespace {

bool isSmall(const Chain& chain) {
  int64_t devices = 1;
  for (const Level& level : chain.levels) devices *= level.count;
  return devices <= 6 && chain.numDims() == 2;
}

TEST(MemoryLimits, AreMetByPlansNoBetterThanEnumeration) {
  std::mt19937_64 random(2);
  int64_t solved = 0, exact = 0;
  while (solved < 150) {
    Chain chain = randomChain(random);
    if (!isSmall(chain)) continue;
    NamedOracle oracle(chain);
    double fewest = oracle.fewestBytes();
    if (fewest == kNever) continue;
    PricedChain priced(chain, Memory::Counted);
    MemoryLimit memory(priced, 0);
    ASSERT_EQ(memory.fewestBytes(), fewest);
    double limit = fewest * (1 + static_cast<double>(random() % 100) / 50);
    Ticks expected = oracle.optimumWithin(limit);
    LimitedAnswer answer = memory.solve(limit);
    ASSERT_LE(answer.lowerBound, expected);
    if (answer.cost < kNever) {
      ASSERT_GE(answer.cost, expected);
      ASSERT_LE(answer.bytes, limit);
      exact += answer.cost == expected;
    }
    ASSERT_EQ(memory.solve(fewest * 0.99).lowerBound, kNever);
    ++solved;
  }
  // Few layers mix badly: with many, little is lost.
  EXPECT_GE(exact, solved / 2);
}

TEST(MemoryLimits, HaveAFrontThatFalls) {
  std::mt19937_64 random(3);
  for (int64_t trial = 0; trial < 20; ++trial) {
    Chain chain = randomChain(random);
    if (NamedOracle(chain).optimum() == kNever) continue;
    PricedChain priced(chain, Memory::Counted);
    std::vector<HullPlan> front = MemoryLimit(priced, 0).front(10);
    for (size_t i = 1; i < front.size(); ++i) {
      EXPECT_LT(front[i].bytes, front[i - 1].bytes);
      EXPECT_GE(front[i].cost, front[i - 1].cost);
    }
  }
}

}  // namespace
}  // namespace sbp::search
