// Plans whose stages differ, or that have memory to spare, are faster in
// another order than their family's.

#include "passes/search/pipeline/ReorderPlan.h"

#include <random>

#include "gtest/gtest.h"
#include "passes/schedule/Check.h"
#include "passes/search/pipeline/SearchJointPlan.h"
#include "passes/search/pipeline/testing/RandomProblem.h"

namespace sbp::search {
namespace {

/// Constants with which a search looks for orders, too.
JointSearchTuning withOrders() {
  JointSearchTuning tuning;
  tuning.maxReordered = 3;
  tuning.ordering.annealing.evaluations = 2000;
  return tuning;
}

TEST(ReorderPlan, AReorderedPlanIsFasterAndFits) {
  RandomSize size;
  size.mostUnits = 5;
  size.workers = {2, 4};
  size.families = {"1f1b", "gems", "zb-h1"};
  std::mt19937 random(5);
  int64_t numReordered = 0;
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const JointProblem problem = randomProblem(size, random);
    const JointAnswer plain = searchJointPlan(problem);
    const JointAnswer answer = searchJointPlan(problem, withOrders());
    // Plans by families do not change.
    EXPECT_EQ(answer.cost.seconds, plain.cost.seconds);
    EXPECT_EQ(answer.bound, plain.bound);
    EXPECT_FALSE(plain.reordered);
    if (!answer.reordered) continue;
    ++numReordered;
    const ReorderedPlan& reordered = *answer.reordered;
    EXPECT_LT(reordered.cost.seconds, answer.cost.seconds);
    EXPECT_GE(reordered.cost.seconds, reordered.bound * (1 - 1e-9));
    EXPECT_TRUE(schedule::check(reordered.table).ok());
    EXPECT_TRUE(problem.verify(reordered.plan).ok());
    for (double bytes : reordered.cost.bytes) EXPECT_LE(bytes, problem.room());
  }
  EXPECT_GE(numReordered, 5);
}

TEST(ReorderPlan, OneForwardOneBackwardOfEqualStagesIsNotReordered) {
  JointProblem problem;
  problem.kinds = {0, 0, 0, 0};
  problem.families = {{"1f1b", {}, false}};
  problem.memory = 100;
  JointCase ofCase;
  ofCase.workers = 4;
  ofCase.microBatches = 8;
  UnitOption option;
  option.forward = option.input = option.weight = 1;
  option.stash = 1;
  ofCase.options = {{option}};
  ofCase.move = {{0}};
  ofCase.cut = {{{}}};
  problem.cases = {ofCase};
  ASSERT_TRUE(problem.check().ok()) << problem.check();
  const JointAnswer answer = searchJointPlan(problem, withOrders());
  ASSERT_TRUE(answer.plan);
  EXPECT_FALSE(answer.reordered);
}

}  // namespace
}  // namespace sbp::search
