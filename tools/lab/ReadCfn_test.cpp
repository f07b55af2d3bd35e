// A problem that is written and read again is the same problem.

#include "tools/lab/ReadCfn.h"

#include <random>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/search/problem/Cfn.h"
#include "tools/lab/Exhaustive.h"

namespace sbp::search::lab {
namespace {

using ::testing::HasSubstr;

Problem randomProblem(std::mt19937& random, double scale) {
  Problem problem;
  for (int i = 0; i < 5; ++i)
    problem.addVariable("same \"name\"", 1 + static_cast<int>(random() % 3));
  std::uniform_real_distribution<double> cost(0, scale);
  for (int64_t i = 0; i < 5; ++i) {
    std::vector<int64_t> scope = {i};
    if (i > 0) scope.push_back(i - 1);
    if (i > 2) scope.push_back(0);
    int64_t numCosts = 1;
    for (int64_t variable : scope) numCosts *= problem.numStates(variable);
    std::vector<Cost> costs(numCosts);
    for (Cost& each : costs)
      each = random() % 5 == 0 ? kInfiniteCost : cost(random);
    costs[0] = cost(random);
    problem.addCosts(scope, std::move(costs));
  }
  return problem;
}

TEST(Cfn, KeepsOptimaWhateverTheirScale) {
  std::mt19937 random(1);
  for (double scale : {1e-9, 1e-3, 1.0, 1e6})
    for (int i = 0; i < 20; ++i) {
      const Problem problem = randomProblem(random, scale);
      const auto read = readCfn(cfnOf(problem, "random"));
      ASSERT_TRUE(read.ok()) << read.status();
      const Solution before = solveExhaustively(problem);
      const Solution after = solveExhaustively(*read);
      EXPECT_NEAR(after.cost, before.cost, 1e-12 * scale);
      EXPECT_NEAR(problem.cost(after.assignment), before.cost, 1e-12 * scale);
    }
}

std::string errorOf(const std::string& functions) {
  return std::string(readCfn(R"({"problem": {"mustbe": "<1.0"},
                                 "variables": {"a": 2, "b": 3},
                                 "functions": {)" +
                             functions + "}}")
                         .status()
                         .message());
}

TEST(Cfn, SaysWhereItIsNoProblem) {
  EXPECT_THAT(errorOf(R"("f": {"scope": ["a", "b"], "costs": [1, 2]})"),
              HasSubstr("functions.f.costs: 2 costs for 6 combinations"));
  EXPECT_THAT(errorOf(R"("f": {"scope": ["c"], "costs": [1, 2]})"),
              HasSubstr("functions.f.scope[0]: there is no variable"));
  EXPECT_THAT(errorOf(R"("f": {"scope": ["a"], "costs": [1, -2]})"),
              HasSubstr("functions.f.costs[1]: a cost is not negative"));
  EXPECT_THAT(errorOf(R"("f": {"scope": ["a", "a"], "costs": [1, 2, 3, 4]})"),
              HasSubstr("table 0 names variable 0 ('a') twice"));
  EXPECT_THAT(
      std::string(
          readCfn(R"({"problem": {"mustbe": "3"}})").status().message()),
      HasSubstr("problem.mustbe: expected a ceiling"));
}

TEST(Cfn, ForbidsWhatReachesTheCeiling) {
  const auto problem = readCfn(R"({"problem": {"mustbe": "<1.0"},
      "variables": {"a": 2}, "functions": {"f": {"scope": ["a"],
      "costs": [1.0, 0.5]}}})");
  ASSERT_TRUE(problem.ok()) << problem.status();
  EXPECT_EQ(problem->cost({0}), kInfiniteCost);
  EXPECT_EQ(problem->cost({1}), 0.5);
}

}  // namespace
}  // namespace sbp::search::lab
