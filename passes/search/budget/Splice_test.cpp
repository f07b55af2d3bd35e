// A plan that changes from one plan to another costs the sum of its steps.

#include "passes/search/budget/Splice.h"

#include <random>

#include "gtest/gtest.h"
#include "passes/search/refinement/ExactSearch.h"
#include "passes/search/testing/RandomChain.h"

namespace sbp::search {
namespace {

constexpr int64_t kMaxLooks = 300'000;

/// Returns the best plan for this price of a byte; nullopt if there is none.
std::optional<LaidPlan> planFor(PricedChain& priced, double bytePrice) {
  priced.setBytePrice(bytePrice);
  ExactAnswer answer = ExactSearch(priced).solve();
  if (answer.optimum == kNever) return std::nullopt;
  auto plan = transitionsAlong(priced, answer.residuals, kMaxLooks);
  if (!plan) return std::nullopt;
  return LaidPlan{std::move(*plan), answer.residuals};
}

TEST(Splices, BeginLikeOnePlanAndEndLikeTheOtherWithinTheLimit) {
  std::mt19937_64 random(11);
  int64_t found = 0;
  for (int64_t trial = 0; trial < 400; ++trial) {
    Chain chain = randomChain(random);
    PricedChain priced(chain, Memory::Counted);
    std::optional<LaidPlan> fast = planFor(priced, 0);
    std::optional<LaidPlan> small = planFor(priced, 1e6);
    if (!fast || !small) continue;
    double limit = (fast->plan.cost().bytes + small->plan.cost().bytes) / 2;
    for (const auto& [begin, end] :
         {std::pair(&*fast, &*small), std::pair(&*small, &*fast)}) {
      auto plan = Splicer(priced, kMaxLooks).fastest(*begin, *end, limit);
      if (!plan) continue;
      ++found;
      EXPECT_LE(plan->cost().bytes, limit);
      EXPECT_GE(plan->cost().ticks, fast->plan.cost().ticks);
      EXPECT_EQ(plan->head.cost.ticks, begin->plan.head.cost.ticks);
      EXPECT_EQ(plan->tail.cost.ticks, end->plan.tail.cost.ticks);
      // The plan can be lifted, at the same cost.
      EXPECT_EQ(liftToAxes(priced, *plan).cost.ticks, plan->cost().ticks);
    }
  }
  EXPECT_GE(found, 100);
}

}  // namespace
}  // namespace sbp::search
