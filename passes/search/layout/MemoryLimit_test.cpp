// Under a memory limit the search finds what enumeration finds.

#include "passes/search/layout/MemoryLimit.h"

#include <cmath>
#include <random>

#include "gtest/gtest.h"
#include "passes/search/layout/Oracle.h"

namespace sbp::search {
namespace {

int64_t numDevices(const Chain& chain) {
  int64_t devices = 1;
  for (const Level& level : chain.levels) devices *= level.count;
  return devices;
}

/// Whether all plans are enumerated in no time; of 8 devices that takes a
/// second, so there are few of these.
bool isSmall(const Chain& chain, int64_t& eights) {
  int64_t devices = numDevices(chain);
  if (chain.numDims() > 2) return false;
  return devices <= 6 || (devices == 8 && --eights >= 0);
}

TEST(MemoryLimits, AreMetByThePlanThatEnumerationFinds) {
  std::mt19937_64 random(2);
  int64_t solved = 0, labelled = 0, eights = 15;
  while (solved < 300) {
    Chain chain = randomChain(random);
    if (!isSmall(chain, eights)) continue;
    NamedOracle oracle(chain);
    double fewest = oracle.fewestBytes();
    if (fewest == kNever) continue;
    PricedChain priced(chain, Memory::Counted);
    MemoryLimit memory(priced, {});
    ASSERT_EQ(memory.fewestBytes(), fewest);
    // Somewhere on the way to what the fastest plan needs.
    double most = memory.front(1)[0].cost.bytes;
    double limit = std::floor(
        fewest + (most - fewest) * static_cast<double>(random() % 100) / 100);
    Ticks expected = oracle.optimumWithin(limit);
    LimitedAnswer answer = memory.solve(limit);
    ASSERT_EQ(answer.cost.ticks, expected) << solved;
    ASSERT_EQ(answer.lowerBound, expected);
    ASSERT_LE(answer.cost.bytes, limit);
    ASSERT_TRUE(answer.plan);
    NamedPlan plan = nameAxes(priced, *answer.plan);
    ASSERT_EQ(plan.cost.ticks, expected);
    ASSERT_EQ(plan.cost.bytes, answer.cost.bytes);
    labelled += answer.labelSearches > 0;
    ASSERT_EQ(memory.solve(fewest * 0.99).lowerBound, kNever);
    ++solved;
  }
  // Many need more than a price.
  EXPECT_GE(labelled, solved / 3);
}

/// On so many devices the optimum is not enumerated, but proven.
TEST(MemoryLimits, AreMetByProvenPlansOn16Devices) {
  std::mt19937_64 random(2);
  int64_t solved = 0;
  while (solved < 40) {
    Chain chain = randomChain(random);
    if (numDevices(chain) <= 6 || numDevices(chain) > 16 ||
        chain.numDims() != 2)
      continue;
    PricedChain priced(chain, Memory::Counted);
    MemoryLimit memory(priced, {});
    double fewest = memory.fewestBytes();
    if (fewest == kNever) continue;
    double most = memory.front(1)[0].cost.bytes;
    double limit = std::floor(
        fewest + (most - fewest) * static_cast<double>(random() % 100) / 100);
    LimitedAnswer answer = memory.solve(limit);
    ASSERT_EQ(answer.lowerBound, answer.cost.ticks) << solved;
    ASSERT_LE(answer.cost.bytes, limit);
    ++solved;
  }
}

TEST(MemoryLimits, HaveAFrontThatFalls) {
  std::mt19937_64 random(3);
  for (int64_t trial = 0; trial < 20; ++trial) {
    Chain chain = randomChain(random);
    if (NamedOracle(chain).optimum() == kNever) continue;
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
