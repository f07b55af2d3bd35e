// The search over counts of axes finds what plain means find over placements.

#include "passes/search/layout/ExactSearch.h"

#include <random>

#include "gtest/gtest.h"
#include "passes/search/layout/NamedPlan.h"
#include "passes/search/layout/Oracle.h"

namespace sbp::search {
namespace {

constexpr int64_t kMaxLooks = 1'000'000;

/// Checks that the steps of a plan follow each other and cost what it says.
void expectConsistent(const Chain& chain, const NamedPlan& plan,
                      const PricedChain& priced) {
  const LayoutSpace& space = priced.space();
  auto indexOf = [&](const NamedLayout& layout) {
    std::vector<std::vector<int64_t>> counts;
    size_t axis = 0;
    for (const AxisClass& axes : space.classes()) {
      counts.emplace_back(space.numKinds(), 0);
      for (int64_t i = 0; i < axes.number; ++i) ++counts.back()[layout[axis++]];
    }
    return space.layoutOf(counts);
  };
  Ticks sum = 0;
  auto follow = [&](const Block& block, NamedLayout at,
                    const std::vector<NamedStep>& steps) {
    for (const NamedStep& step : steps) {
      sum += step.ticks;
      if (step.what == CrossingStep::What::Run) {
        for (size_t axis = 0; axis < at.size(); ++axis) {
          Kind reads = space.broadcast();
          for (const Loop& loop : block.ops[step.op].loops)
            if (loop.leaves == step.reached[axis]) reads = loop.reads;
          EXPECT_EQ(reads, at[axis]);
        }
      } else {
        // Axes of one level go from one kind to another.
        std::set<std::pair<Kind, Kind>> changes;
        double devices = 1;
        size_t axis = 0;
        for (const AxisClass& axes : space.classes())
          for (int64_t i = 0; i < axes.number; ++i, ++axis)
            if (at[axis] != step.reached[axis]) {
              EXPECT_EQ(axes.level, step.level);
              devices *= static_cast<double>(axes.prime);
              changes.insert({at[axis], step.reached[axis]});
            }
        EXPECT_EQ(changes.size(), 1u);
        EXPECT_EQ(devices, step.devices);
      }
      at = step.reached;
    }
    return at;
  };
  NamedLayout first = plan.head.branch.front().reached;
  sum += plan.head.branch.front().ticks;
  NamedLayout at =
      follow(chain.head, first,
             {plan.head.branch.begin() + 1, plan.head.branch.end()});
  EXPECT_EQ(at, plan.head.residual);
  sum += priced.addition()[indexOf(at)];
  for (const NamedBlock& block : plan.blocks) {
    const Block& shape = chain.blocks[block.block];
    NamedLayout skipped = follow(shape, at, block.skip);
    at = follow(shape, at, block.branch);
    if (shape.hasSkip) EXPECT_EQ(at, skipped);
    EXPECT_EQ(at, block.residual);
    sum += priced.addition()[indexOf(at)];
  }
  follow(chain.tail, at, plan.tail.branch);
  EXPECT_EQ(sum, plan.ticks);
}

TEST(ExactSearches, FindWhatEnumerationOfAxesFinds) {
  std::mt19937_64 random(1);
  int64_t solved = 0, tooOptimistic = 0;
  for (int64_t trial = 0; trial < 1200; ++trial) {
    Chain chain = randomChain(random);
    ASSERT_EQ(chain.check(), "");
    Ticks expected = NamedOracle(chain).optimum();
    PricedChain priced(chain, Memory::Ignored);
    ExactAnswer answer = ExactSearch(priced).solve();
    ASSERT_EQ(answer.optimum, expected) << "trial " << trial;
    if (expected == kNever) continue;
    ++solved;
    ASSERT_TRUE(answer.isCertified);
    ASSERT_EQ(answer.lowerBound, expected);
    ASSERT_LE(answer.countBound, expected);
    tooOptimistic += answer.countBound < expected;
    std::optional<NamedPlan> plan =
        nameAxes(priced, answer.residuals, kMaxLooks);
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->ticks, expected) << "trial " << trial;
    expectConsistent(chain, *plan, priced);
  }
  EXPECT_GE(solved, 1000);
  // Some, and few.
  EXPECT_GE(tooOptimistic, 1);
  std::cout << solved << " solved, counts too optimistic in " << tooOptimistic
            << "\n";
}

}  // namespace
}  // namespace sbp::search
