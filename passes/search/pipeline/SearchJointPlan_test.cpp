// The best plans of small problems are found, and no bound is above them.

#include "passes/search/pipeline/SearchJointPlan.h"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <limits>
#include <sstream>

#include "gtest/gtest.h"
#include "passes/search/pipeline/testing/Enumerate.h"
#include "passes/search/pipeline/testing/InstanceFile.h"

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

}  // namespace
}  // namespace sbp::search
