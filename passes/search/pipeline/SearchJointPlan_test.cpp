// The best plans of small problems are found, and no bound is above them.

#include "passes/search/pipeline/SearchJointPlan.h"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "gtest/gtest.h"
#include "passes/search/pipeline/testing/Enumerate.h"
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

TEST(SearchJointPlan, FindsTheOptimaOfTheInstances) {
  const std::vector<SolvedInstance> instances = solvedInstances();
  EXPECT_EQ(instances.size(), 40u);
  for (size_t i = 0; i < instances.size(); ++i) {
    const JointProblem& problem = instances[i].problem;
    ASSERT_TRUE(problem.check().ok()) << problem.check();
    const std::clock_t start = std::clock();
    const JointAnswer answer = searchJointPlan(problem);
    std::printf(
        "instance %2zu: %.4f CPU s, %ld labels, %ld prices, %ld fronts, %ld "
        "nodes, %ld tables, gap %.2g\n",
        i, double(std::clock() - start) / CLOCKS_PER_SEC,
        long(answer.work.labels), long(answer.work.prices),
        long(answer.work.fronts), long(answer.work.nodes),
        long(answer.work.tables), answer.gap());
    const double optimum = instances[i].seconds.value_or(kInfinite);
    EXPECT_LE(answer.bound, optimum * (1 + 1e-8)) << i;
    ASSERT_EQ(answer.plan.has_value(), instances[i].seconds.has_value()) << i;
    if (!answer.plan) continue;
    EXPECT_NEAR(answer.cost.seconds, optimum, 1e-7 * optimum) << i;
    const auto cost = problem.verify(*answer.plan);
    ASSERT_TRUE(cost.ok()) << cost.status();
    EXPECT_EQ(cost->seconds, answer.cost.seconds);
  }
}

/// Compares the answers for `number` random problems with enumeration. The
/// simulation of families without a flush is precise to `precision`.
void compareWithEnumeration(const RandomSize& size, int64_t number,
                            double precision = 1e-9) {
  std::mt19937 random(77);
  SearchWork work;
  int64_t numFeasible = 0, numGaps = 0;
  for (int64_t i = 0; i < number; ++i) {
    const JointProblem problem = randomProblem(size, random);
    ASSERT_TRUE(problem.check().ok()) << problem.check();
    const double optimum = leastSecondsOfAll(problem);
    const JointAnswer answer = searchJointPlan(problem);
    ASSERT_LE(answer.bound, optimum * (1 + precision)) << i;
    work.nodes += answer.work.nodes;
    work.tables += answer.work.tables;
    ASSERT_EQ(answer.plan.has_value(), optimum < kInfinite) << i;
    if (!answer.plan) continue;
    ++numFeasible;
    if (answer.gap() > 1e-9) ++numGaps;
    const auto cost = problem.verify(*answer.plan);
    ASSERT_TRUE(cost.ok()) << cost.status();
    ASSERT_EQ(cost->seconds, answer.cost.seconds);
    ASSERT_NEAR(answer.cost.seconds, optimum, precision * optimum) << i;
  }
  std::printf("%ld feasible, %ld gaps, %ld nodes, %ld tables\n",
              long(numFeasible), long(numGaps), long(work.nodes),
              long(work.tables));
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

}  // namespace
}  // namespace sbp::search
