// Patterns of given allocations: against enumeration, and against verify().

#include "passes/search/allocation/SchedulePattern.h"

#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/search/allocation/ContiguousCut.h"
#include "passes/search/allocation/LeastPeriod.h"
#include "passes/search/allocation/testing/Enumerate.h"
#include "runtime/status/Status.h"

namespace sbp::search {
namespace {

using ::testing::HasSubstr;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int64_t kEnough = 1'000'000;

double periodOf(const std::optional<Pattern>& pattern) {
  return pattern ? pattern->period : kNever;
}

/// Expects that two periods are equal up to rounding.
void expectSame(double found, double wanted) {
  if (std::isinf(wanted))
    EXPECT_EQ(found, wanted);
  else
    EXPECT_NEAR(found, wanted, 1e-6 * wanted);
}

TEST(LeastPeriodTest, IsTheLargestRatioOfACycle) {
  // 0 -> 1 takes 3 and 1 -> 0 takes 4 in one period; 1 -> 1 takes 10 in two.
  const auto found =
      leastPeriod(2, {{0, 1, 3, 0}, {1, 0, 4, -1}, {1, 1, 10, -2}}, 0.5);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->period, 7, 1e-9);
  EXPECT_NEAR(found->starts[1] - found->starts[0], 3, 1e-9);
}

TEST(LeastPeriodTest, DoesNotExistIfACycleSpansNoPeriod) {
  EXPECT_FALSE(leastPeriod(2, {{0, 1, 3, 0}, {1, 0, -2, 0}}, 1));
}

TEST(SchedulePatternTest, FindsTheLeastPeriodOfEachAllocation) {
  std::mt19937 random(1);
  int64_t numFound = 0;
  for (int i = 0; i < 150; ++i) {
    const ChainProblem problem = randomChainProblem(4, random);
    ASSERT_TRUE(problem.check().ok());
    const StageCosts costs(problem);
    forEachAllocation(problem.chain.numLayers(), problem.processors,
                      [&](const Allocation& allocation) {
                        if (allocation.size() > 3)
                          return;  // enumeration would take long
                        const std::optional<Pattern> wanted =
                            enumeratePatterns(problem, allocation);
                        const ScheduledAllocation found =
                            schedulePattern(costs, allocation, kNever, kEnough);
                        expectSame(periodOf(found.pattern), periodOf(wanted));
                        expectSame(found.bound, periodOf(wanted));
                        if (!found.pattern) return;
                        ++numFound;
                        const absl::StatusOr<PatternCost> cost =
                            problem.verify(*found.pattern);
                        EXPECT_TRUE(cost.ok()) << textOf(cost.status());
                      });
  }
  EXPECT_GT(numFound, 100);
}

TEST(SchedulePatternTest, OneForwardOneBackwardIsBestIfContiguous) {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    const ChainProblem problem = randomChainProblem(4, random);
    const StageCosts costs(problem);
    double least = kNever;
    forEachAllocation(problem.chain.numLayers(), problem.processors,
                      [&](const Allocation& allocation) {
                        if (allocation.back().processor + 1 !=
                            static_cast<int64_t>(allocation.size()))
                          return;
                        const std::optional<Pattern> wanted =
                            enumeratePatterns(problem, allocation);
                        const std::optional<Pattern> found =
                            bestOneForwardOneBackward(costs, allocation);
                        expectSame(periodOf(found), periodOf(wanted));
                        if (found) {
                          EXPECT_TRUE(problem.verify(*found).ok());
                        }
                        least = std::min(least, periodOf(wanted));
                      });
    expectSame(periodOf(bestContiguous(costs)), least);
  }
}

TEST(SchedulePatternTest, AnswersWithinItsNodes) {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const ChainProblem problem = randomChainProblem(6, random);
    const StageCosts costs(problem);
    forEachAllocation(problem.chain.numLayers(), problem.processors,
                      [&](const Allocation& allocation) {
                        const ScheduledAllocation few =
                            schedulePattern(costs, allocation, kNever, 3);
                        const ScheduledAllocation all =
                            schedulePattern(costs, allocation, kNever, kEnough);
                        EXPECT_GE(periodOf(few.pattern) * (1 + 1e-6),
                                  periodOf(all.pattern));
                        EXPECT_LE(few.bound, all.bound * (1 + 1e-6));
                      });
  }
}

/// A chain of two layers on two processors, and its pattern.
class VerifyTest : public ::testing::Test {
 protected:
  VerifyTest() {
    LayerChain& chain = problem_.chain;
    chain.forward = {2, 3};
    chain.backward = {4, 6};
    chain.weights = {1, 2};
    chain.outputs = {8, 4};
    chain.cuts = {5, 8, 4};
    problem_.processors = 2;
    problem_.memory = 1000;
    problem_.bandwidth = 4;
    pattern_ = *bestContiguous(StageCosts(problem_));
  }

  void expectError(const std::string& words) {
    const absl::StatusOr<PatternCost> cost = problem_.verify(pattern_);
    ASSERT_FALSE(cost.ok());
    EXPECT_THAT(textOf(cost.status()), HasSubstr(words));
  }

  ChainProblem problem_;
  Pattern pattern_;
};

TEST_F(VerifyTest, AddsUpTheMemory) {
  const absl::StatusOr<PatternCost> cost = problem_.verify(pattern_);
  ASSERT_TRUE(cost.ok());
  EXPECT_NEAR(cost->period, 9, 1e-6);
  // The link takes 4, so stage 0 and link and stage 1 are three groups: 19 ms
  // of delay are three micro-batches of 9 ms.
  EXPECT_EQ(cost->bytes[0], 3 * 1 + 2 * 8 + 3 * 5);
  EXPECT_EQ(cost->bytes[1], 3 * 2 + 2 * 8 + 1 * 8);
}

TEST_F(VerifyTest, RefusesAStartBeforeItsInput) {
  pattern_.starts[2] -= 1;
  expectError("the forward of stage 1 starts at");
}

TEST_F(VerifyTest, RefusesTwoOperationsAtOneTime) {
  pattern_.period = 8.5;
  expectError("overlap on a resource");
}

TEST_F(VerifyTest, RefusesMoreThanTheMemory) {
  problem_.memory = 33;
  expectError("processor 0 needs 34 bytes of its 33");
}

TEST_F(VerifyTest, RefusesNeighboursOnOneProcessor) {
  pattern_.allocation[1].processor = 0;
  expectError("before and after the cut at 1 are on processor 0");
}

TEST_F(VerifyTest, RefusesLayersThatAreLeftOut) {
  pattern_.allocation.pop_back();
  expectError("the stages end at layer 1 of 2");
}

}  // namespace
}  // namespace sbp::search
