// The best plans of small problems are found, and no bound is above them. Work
// grows little with the depth of a model.

#include "passes/search/pipeline/SearchJointPlan.h"

#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "passes/search/pipeline/testing/Enumerate.h"
#include "passes/search/pipeline/testing/GptProblem.h"
#include "passes/search/pipeline/testing/InstanceFile.h"
#include "passes/search/pipeline/testing/RandomProblem.h"

namespace sbp::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<SolvedInstance> solvedInstances() {
  std::ifstream file("passes/search/pipeline/testing/joint_instances.json");
  std::stringstream text;
  text << file.rdbuf();
  auto instances = readInstances(text.str());
  EXPECT_TRUE(instances.ok()) << instances.status();
  return *std::move(instances);
}

/// Compares an answer with the optimum of its problem, which is infinite if
/// nothing fits. Both are precise to a part `precision`.
void compare(const JointProblem& problem, const JointAnswer& answer,
             double optimum, double precision) {
  EXPECT_LE(answer.bound, optimum * (1 + precision));
  ASSERT_EQ(answer.plan.has_value(), optimum < kInfinite);
  if (!answer.plan) return;
  EXPECT_NEAR(answer.cost.seconds, optimum, precision * optimum);
  const auto cost = problem.verify(*answer.plan);
  ASSERT_TRUE(cost.ok()) << cost.status();
  EXPECT_EQ(cost->seconds, answer.cost.seconds);
  EXPECT_EQ(cost->bytes, answer.cost.bytes);
}

TEST(SearchJointPlan, FindsTheOptimaOfTheInstances) {
  const std::vector<SolvedInstance> instances = solvedInstances();
  EXPECT_EQ(instances.size(), 40u);
  for (size_t i = 0; i < instances.size(); ++i) {
    SCOPED_TRACE(i);
    const JointProblem& problem = instances[i].problem;
    ASSERT_TRUE(problem.check().ok()) << problem.check();
    const JointAnswer answer = searchJointPlan(problem);
    // The file has nine digits.
    compare(problem, answer, instances[i].seconds.value_or(kInfinite), 1e-8);
    EXPECT_LE(answer.gap(), 1e-9);
    EXPECT_LT(answer.work.labels, 3000);
    EXPECT_LT(answer.work.tables, 10);
  }
}

/// Compares the answers for `number` random problems with enumeration.
void compareWithEnumeration(const RandomSize& size, int64_t number,
                            double precision = 1e-9) {
  std::mt19937 random(77);
  for (int64_t i = 0; i < number; ++i) {
    SCOPED_TRACE(i);
    const JointProblem problem = randomProblem(size, random);
    ASSERT_TRUE(problem.check().ok()) << problem.check();
    compare(problem, searchJointPlan(problem), leastSecondsOfAll(problem),
            precision);
  }
}

TEST(SearchJointPlan, FindsTheOptimaOfRandomProblems) {
  compareWithEnumeration({}, 200);
}

TEST(SearchJointPlan, FindsTheOptimaOfFamiliesOfOnePipe) {
  RandomSize size;
  size.mostUnits = 5;
  size.families = {"gpipe", "1f1b", "eager-1f1b", "zb-h1", "zb-h2"};
  compareWithEnumeration(size, 200);
}

TEST(SearchJointPlan, FindsTheOptimaOfFamiliesWithoutAFlush) {
  RandomSize size;
  size.mostUnits = 4;
  size.families = {"pipedream", "pipedream-2bw"};
  // Periods are precise to 1e-4 (Repetition.h).
  compareWithEnumeration(size, 200, 1e-4);
}

TEST(SearchJointPlan, FindsTheOptimaOfTwoStagesPerWorker) {
  RandomSize size;
  size.workers = {1, 2};
  size.chunks = {2};
  size.families = {"interleaved", "zb-v", "dualpipe-v"};
  compareWithEnumeration(size, 100);
}

TEST(SearchJointPlan, FindsTheOptimaOfTwoPipes) {
  RandomSize size;
  size.mostUnits = 5;
  size.workers = {2, 4};
  size.families = {"gems", "chimera", "dualpipe"};
  compareWithEnumeration(size, 100);
}

TEST(SearchJointPlan, BoundsEachCaseAndFamily) {
  RandomSize size;
  size.mostUnits = 4;
  size.families = {"1f1b", "zb-h1"};
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i) {
    const JointProblem problem = randomProblem(size, random);
    const JointAnswer answer = searchJointPlan(problem);
    for (const CaseBound& each : answer.cases) {
      JointProblem alone = problem;
      alone.cases = {problem.cases[each.ofCase]};
      alone.families = {problem.families[each.family]};
      const double optimum = leastSecondsOfAll(alone);
      EXPECT_LE(each.bound, optimum * (1 + 1e-9));
      EXPECT_GE(each.best, optimum * (1 - 1e-9));
    }
    const CaseBound zeroBubble =
        answer.boundOf([](const CaseBound& each) { return each.family == 1; });
    JointProblem alone = problem;
    alone.families = {problem.families[1]};
    EXPECT_LE(zeroBubble.bound, leastSecondsOfAll(alone) * (1 + 1e-9));
  }
}

TEST(SearchJointPlan, IsNeverWorseThanAKnownPlan) {
  RandomSize size;
  std::mt19937 random(9);
  // Tuned so that the search finds nothing by itself.
  JointSearchTuning idle;
  idle.maxNodes = 0;
  for (int i = 0; i < 20; ++i) {
    const JointProblem problem = randomProblem(size, random);
    const JointAnswer best = searchJointPlan(problem);
    if (!best.plan) continue;
    JointPlan wrong = *best.plan;
    wrong.ends.pop_back();
    const JointAnswer answer =
        searchJointPlan(problem, idle, {wrong, *best.plan});
    ASSERT_TRUE(answer.plan);
    EXPECT_EQ(answer.cost.seconds, best.cost.seconds);
    EXPECT_LE(answer.bound, best.cost.seconds);
  }
}

TEST(SearchJointPlan, ProvesAPlanOfAGpt3On512DevicesWithinOnePercent) {
  const JointProblem problem = gptProblem({});
  ASSERT_TRUE(problem.check().ok()) << problem.check();
  const JointAnswer answer = searchJointPlan(problem);
  ASSERT_TRUE(answer.plan);
  EXPECT_LE(answer.gap(), 0.01);
  EXPECT_LT(answer.work.tables, 100);
  // Equal problems have equal answers, by equal work.
  const JointAnswer again = searchJointPlan(problem);
  EXPECT_EQ(again.cost.seconds, answer.cost.seconds);
  EXPECT_EQ(again.work.prices, answer.work.prices);
  EXPECT_EQ(again.work.labels, answer.work.labels);
}

TEST(SearchJointPlan, TakesLittleMoreWorkForTenTimesAsManyUnits) {
  // As much work in all, by layers or by tenths of them, on 8 devices.
  const auto answerOf = [](int64_t layers) {
    GptSize size;
    size.width = 2048;
    size.layers = layers;
    size.partOfLayer = 96.0 / static_cast<double>(layers);
    size.batch = 64;
    size.levels = {{8, 3.4e-6, 1 / 235e9}};
    const JointProblem problem = gptProblem(size);
    return searchJointPlan(problem);
  };
  const JointAnswer few = answerOf(96), many = answerOf(960);
  ASSERT_TRUE(few.plan && many.plan);
  EXPECT_LE(many.gap(), 0.005);
  EXPECT_LE(many.work.prices, 3 * few.work.prices);
  EXPECT_LE(many.work.tables, 3 * few.work.tables + 10);
  ::testing::Test::RecordProperty("prices96", std::to_string(few.work.prices));
  ::testing::Test::RecordProperty("prices960",
                                  std::to_string(many.work.prices));
}

}  // namespace
}  // namespace sbp::search
