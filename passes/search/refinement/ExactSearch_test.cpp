// The search over counts of axes finds what enumeration over placements finds.

#include "passes/search/refinement/ExactSearch.h"

#include <random>

#include "gtest/gtest.h"
#include "passes/search/lifting/LiftedPlan.h"
#include "passes/search/testing/Oracle.h"
#include "passes/search/testing/RandomChain.h"
#include "tools/lab/Gpt.h"
#include "tools/lab/TiedDescent.h"

namespace sbp::search {
namespace {

constexpr int64_t kMaxLooks = 1'000'000;

/// Expects that the steps of a plan follow each other and add up to its cost.
void expectConsistent(const Chain& chain, const LiftedPlan& plan,
                      const PricedChain& priced) {
  const LayoutSpace& space = priced.space();
  auto indexOf = [&](const AxisKinds& layout) {
    std::vector<std::vector<int64_t>> counts;
    size_t axis = 0;
    for (const AxisClass& axes : space.classes()) {
      counts.emplace_back(space.numKinds(), 0);
      for (int64_t i = 0; i < axes.number; ++i) ++counts.back()[layout[axis++]];
    }
    return space.layoutOf(counts);
  };
  Ticks sum = 0;
  auto follow = [&](const Block& block, AxisKinds at,
                    const std::vector<LiftedStep>& steps) {
    for (const LiftedStep& step : steps) {
      sum += step.ticks;
      if (step.what == TransitionStep::What::Run) {
        for (size_t axis = 0; axis < at.size(); ++axis) {
          Kind reads = space.broadcast();
          for (const Loop& loop : block.ops[step.op].loops)
            if (loop.leaves == step.reached[axis]) reads = loop.reads;
          EXPECT_EQ(reads, at[axis]);
        }
      } else {
        // Axes of one level change from one kind to another.
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
  AxisKinds first = plan.head.branch.front().reached;
  sum += plan.head.branch.front().ticks;
  AxisKinds at = follow(chain.head, first,
                        {plan.head.branch.begin() + 1, plan.head.branch.end()});
  EXPECT_EQ(at, plan.head.residual);
  sum += priced.addition()[indexOf(at)];
  for (const LiftedBlock& block : plan.blocks) {
    const Block& shape = chain.blocks[block.block];
    AxisKinds skipped = follow(shape, at, block.skip);
    at = follow(shape, at, block.branch);
    if (shape.hasSkip) EXPECT_EQ(at, skipped);
    EXPECT_EQ(at, block.residual);
    sum += priced.addition()[indexOf(at)];
  }
  follow(chain.tail, at, plan.tail.branch);
  EXPECT_EQ(sum, plan.cost.ticks);
}

TEST(ExactSearches, FindWhatEnumerationOfAxesFinds) {
  std::mt19937_64 random(1);
  int64_t solved = 0, tooOptimistic = 0;
  for (int64_t trial = 0; trial < 300; ++trial) {
    Chain chain = randomChain(random);
    ASSERT_EQ(chain.check(), "");
    Ticks expected = PlacementOracle(chain).optimum();
    PricedChain priced(chain, Memory::Ignored);
    ExactAnswer answer = ExactSearch(priced).solve();
    ASSERT_EQ(answer.optimum, expected) << "trial " << trial;
    if (expected == kNever) continue;
    ++solved;
    ASSERT_TRUE(answer.isCertified);
    ASSERT_EQ(answer.lowerBound, expected);
    ASSERT_LE(answer.countBound, expected);
    tooOptimistic += answer.countBound < expected;
    std::optional<LiftedPlan> plan =
        liftToAxes(priced, answer.residuals, kMaxLooks);
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->cost.ticks, expected) << "trial " << trial;
    if (trial % 10 == 0)
      ASSERT_GE(descendTied(priced, 2, trial), answer.countBound);
    expectConsistent(chain, *plan, priced);
  }
  EXPECT_GE(solved, 250);
  // A few plans are too optimistic by counts, so plans must be certified.
  EXPECT_GE(tooOptimistic, 1);
  EXPECT_LE(tooOptimistic, solved / 5);
}

/// One device has no axes and no moves, only ops.
TEST(ExactSearches, ComputeEverythingWhereThereIsOneDevice) {
  std::mt19937_64 random(3);
  for (int64_t trial = 0; trial < 20; ++trial) {
    Chain chain = randomChain(random);
    for (Level& level : chain.levels) level.count = 1;
    Ticks expected = PlacementOracle(chain).optimum();
    PricedChain priced(chain, Memory::Ignored);
    ExactAnswer answer = ExactSearch(priced).solve();
    ASSERT_EQ(answer.optimum, expected) << "trial " << trial;
    ASSERT_EQ(answer.lowerBound, expected);
    ASSERT_TRUE(answer.isCertified);
    std::optional<LiftedPlan> plan =
        liftToAxes(priced, answer.residuals, kMaxLooks);
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->cost.ticks, expected) << "trial " << trial;
    expectConsistent(chain, *plan, priced);
  }
}

Chain gptOn64By8(int64_t layers, int64_t microBatches) {
  Gpt gpt;
  gpt.layers = layers;
  gpt.microBatches = microBatches;
  return chainOf(gpt, {{64, {1e-5, 4e-11}}, {8, {3e-6, 3.3e-12}}},
                 {400e12, 3e12});
}

/// A chain with one sequence at a time, on 512 devices.
TEST(ExactSearches, SayWhenCountsOfAxesAreTooOptimistic) {
  Chain chain = gptOn64By8(96, 1536);
  PricedChain priced(chain, Memory::Ignored);
  ExactAnswer answer = ExactSearch(priced).solve();
  EXPECT_LT(answer.countBound, answer.optimum);
  EXPECT_TRUE(answer.isCertified);
  EXPECT_EQ(answer.lowerBound, answer.optimum);
  std::optional<LiftedPlan> plan =
      liftToAxes(priced, answer.residuals, kMaxLooks);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->cost.ticks, answer.optimum);
  expectConsistent(chain, *plan, priced);
}

TEST(ExactSearches, EndWithAPlanAndABoundWhenTheyTakeTooLong) {
  Chain chain = gptOn64By8(96, 1536);
  PricedChain priced(chain, Memory::Ignored);
  Ticks optimum = ExactSearch(priced).solve().optimum;
  int64_t ended = 0;
  for (double maxWork = 1e5; maxWork < 1e7; maxWork *= 1.5) {
    ExactOptions options;
    options.maxWork = maxWork;
    ExactSearch search(priced, options);
    ExactAnswer answer = search.solve();
    EXPECT_LE(answer.lowerBound, optimum);
    EXPECT_GE(answer.optimum, optimum);
    EXPECT_LT(answer.optimum, 1.05 * answer.lowerBound);
    // Lifting plans is work too.
    EXPECT_LT(search.work(), maxWork + 1e6);
    ended += answer.lowerBound < answer.optimum;
    // The plan is real all the same.
    std::optional<LiftedPlan> plan =
        liftToAxes(priced, answer.residuals, kMaxLooks);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->cost.ticks, answer.optimum);
  }
  EXPECT_GE(ended, 3);
}

TEST(ExactSearches, FindOutOneByOneWhatIsTooMuchAtOnce) {
  Chain chain = gptOn64By8(24, 1536);
  PricedChain priced(chain, Memory::Ignored);
  ExactAnswer atOnce = ExactSearch(priced).solve();
  ASSERT_TRUE(atOnce.isCertified);
  ASSERT_LT(atOnce.countBound, atOnce.optimum);
  ExactOptions options;
  options.mostOrbits = 1;
  options.maxWork = 1e8;
  ExactAnswer oneByOne = ExactSearch(priced, options).solve();
  EXPECT_TRUE(oneByOne.isCertified);
  EXPECT_EQ(oneByOne.lowerBound, atOnce.optimum);
  EXPECT_EQ(oneByOne.optimum, atOnce.optimum);
}

TEST(ExactSearches, CountTheNamingOfPlansAsWork) {
  Chain chain = gptOn64By8(96, 96);
  PricedChain priced(chain, Memory::Ignored);
  ExactOptions byCounts;
  byCounts.certifies = false;
  ExactSearch counting(priced, byCounts), lifting(priced);
  ExactAnswer promised = counting.solve(), lifted = lifting.solve();
  ASSERT_EQ(promised.optimum, lifted.optimum);
  ASSERT_GT(lifted.transitions, 0);
  // At least one stage of a block is swept per lifting, so that a search that
  // lifts plans without end exceeds its limit of work.
  int64_t mostLegs = 0;
  for (const Block& block : chain.blocks)
    mostLegs = std::max(mostLegs, static_cast<int64_t>(block.ops.size()) + 1);
  int64_t aLeg = priced.space().numLayouts() / mostLegs;
  EXPECT_GE(lifting.work() - counting.work(),
            static_cast<double>(lifted.transitions * aLeg));
}

TEST(ExactSearches, TakeEveryLayerOfADeepNetworkForTheSamePrice) {
  std::vector<Ticks> costs;
  for (int64_t layers : {20, 30, 40}) {
    Chain chain = gptOn64By8(layers, 24);
    PricedChain priced(chain, Memory::Ignored);
    ExactAnswer answer = ExactSearch(priced).solve();
    EXPECT_TRUE(answer.isCertified);
    costs.push_back(answer.optimum);
  }
  EXPECT_EQ(costs[1] - costs[0], costs[2] - costs[1]);
}

TEST(ExactSearches, AnswerTheSameTwice) {
  Chain chain = gptOn64By8(96, 96);
  PricedChain priced(chain, Memory::Ignored);
  ExactAnswer once = ExactSearch(priced).solve();
  ExactAnswer twice = ExactSearch(priced).solve();
  EXPECT_EQ(once.optimum, twice.optimum);
  EXPECT_EQ(once.residuals, twice.residuals);
  EXPECT_EQ(once.rowsUsed, twice.rowsUsed);
}

}  // namespace
}  // namespace sbp::search
