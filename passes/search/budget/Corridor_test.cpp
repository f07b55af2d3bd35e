// A corridor between plans has the passages of these plans.

#include "passes/search/budget/Corridor.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "passes/search/budget/MemoryLimit.h"
#include "passes/search/lifting/NamedPlan.h"
#include "passes/search/testing/RandomChain.h"

namespace sbp::search {
namespace {

/// Returns the passage of a step from one layout to another; null if the
/// corridor has none.
const Passage* find(const Corridor& corridor, int64_t step, Layout from,
                    Layout to) {
  for (int64_t index : corridor.steps[step]) {
    const Passage& passage = corridor.passages[index];
    if (passage.from == from && passage.to == to) return &passage;
  }
  return nullptr;
}

TEST(CorridorsBetweenPlans, LeaveRoomForWhatThePlansWithinReachPay) {
  std::mt19937_64 random(5);
  int64_t found = 0;
  for (int64_t trial = 0; trial < 40; ++trial) {
    Chain chain = randomChain(random);
    PricedChain priced(chain, Memory::Counted);
    std::vector<HullPlan> front = MemoryLimit(priced, {}).front(3);
    if (front[0].cost.ticks == kNever) continue;
    std::vector<const std::vector<Layout>*> plans;
    for (const HullPlan& plan : front) plans.push_back(&plan.laid.residuals);
    double price = front.back().ticksPerByte;
    priced.setBytePrice(price);
    ExactSearch search(priced);
    Ticks reach = search.solve().optimum;
    // Highest cost of the plans at this price. Products are rounded.
    for (const HullPlan& plan : front)
      reach = std::max(reach, plan.cost.ticks + price * plan.cost.bytes + 1);
    ASSERT_TRUE(search.cover(reach, /*mostWork=*/1e9));
    Corridor corridor = corridorBetween(priced, search, plans, reach);
    for (const HullPlan& plan : front) {
      const CrossedPlan& crossed = plan.laid.plan;
      const std::vector<Layout>& layouts = plan.laid.residuals;
      for (size_t p = 0; p < crossed.steps.size(); ++p) {
        const TimeAndBytes& cost = crossed.crossings[crossed.steps[p]].cost;
        const Passage* passage =
            find(corridor, p + 1, layouts[p], layouts[p + 1]);
        ASSERT_TRUE(passage);
        EXPECT_EQ(passage->block, priced.blockAt(p));
        EXPECT_LE(std::floor(cost.ticks + price * cost.bytes), passage->budget);
        ++found;
      }
      EXPECT_TRUE(find(corridor, 0, 0, layouts.front()));
      EXPECT_TRUE(
          find(corridor, priced.numSteps() + 1, layouts.back(), /*to=*/0));
    }
  }
  EXPECT_GE(found, 200);
}

}  // namespace
}  // namespace sbp::search
