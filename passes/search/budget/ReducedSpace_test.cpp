// A reduced space between plans has the arcs of these plans.

#include "passes/search/budget/ReducedSpace.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "passes/search/budget/MemoryLimit.h"
#include "passes/search/lifting/LiftedPlan.h"
#include "passes/search/testing/RandomChain.h"

namespace sbp::search {
namespace {

/// Returns the arc of a step from one layout to another; null if there is none.
const Arc* find(const ReducedSpace& reduced, int64_t step, Layout from,
                Layout to) {
  for (int64_t index : reduced.steps[step]) {
    const Arc& arc = reduced.arcs[index];
    if (arc.from == from && arc.to == to) return &arc;
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
    Ticks threshold = search.solve().optimum;
    // Highest cost of the plans at this price. Products are rounded.
    for (const HullPlan& plan : front)
      threshold =
          std::max(threshold, plan.cost.ticks + price * plan.cost.bytes + 1);
    ASSERT_TRUE(search.cover(threshold, /*mostWork=*/1e9));
    ReducedSpace reduced =
        reducedSpaceBetween(priced, search, plans, threshold);
    for (const HullPlan& plan : front) {
      const TransitionPlan& crossed = plan.laid.plan;
      const std::vector<Layout>& layouts = plan.laid.residuals;
      for (size_t p = 0; p < crossed.steps.size(); ++p) {
        const TimeAndBytes& cost = crossed.transitions[crossed.steps[p]].cost;
        const Arc* arc = find(reduced, p + 1, layouts[p], layouts[p + 1]);
        ASSERT_TRUE(arc);
        EXPECT_EQ(arc->block, priced.blockAt(p));
        EXPECT_LE(std::floor(cost.ticks + price * cost.bytes), arc->budget);
        ++found;
      }
      EXPECT_TRUE(find(reduced, 0, 0, layouts.front()));
      EXPECT_TRUE(
          find(reduced, priced.numSteps() + 1, layouts.back(), /*to=*/0));
    }
  }
  EXPECT_GE(found, 200);
}

}  // namespace
}  // namespace sbp::search
