#include "passes/search/problem/Problem.h"

#include <cmath>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/search/problem/Solution.h"

namespace sbp::search {
namespace {

using testing::HasSubstr;

std::string textOf(const absl::Status& status) {
  return std::string(status.message());
}

/// Returns two variables of two states. Equal states cost 1 and 2, and the
/// states (1, 0) are forbidden.
Problem pairOfVariables() {
  Problem problem;
  problem.addVariable("a", 2);
  problem.addVariable("b", 2);
  problem.addCosts({0, 1}, {1, 5, kInfiniteCost, 2});
  return problem;
}

TEST(Problem, IsUnsoundWithoutCostsThatAddUp) {
  Problem problem = pairOfVariables();
  EXPECT_TRUE(problem.check().ok());
  problem.addCosts({1}, {0, std::nan("")});
  EXPECT_THAT(textOf(problem.check()),
              HasSubstr("entry 1 of table 1 costs nan"));
}

TEST(Problem, VerifiesAnAnswer) {
  const Problem problem = pairOfVariables();
  EXPECT_EQ(*problem.verify({1, 1}), 2);
  EXPECT_THAT(textOf(problem.verify({1}).status()),
              HasSubstr("1 states for 2 variables"));
  EXPECT_THAT(textOf(problem.verify({0, 2}).status()),
              HasSubstr("variable 1 ('b') has 2 states, and no state 2"));
  EXPECT_THAT(textOf(problem.verify({1, 0}).status()),
              HasSubstr("table 0 forbids the assignment"));
}

TEST(Problem, VerifiesCostAndBoundOfASolution) {
  const Problem problem = pairOfVariables();
  EXPECT_TRUE(verify(problem, {{0, 0}, 1, 1}).ok());
  EXPECT_THAT(textOf(verify(problem, {{0, 1}, 1, 1})),
              HasSubstr("costs 5 is said to cost 1"));
  EXPECT_THAT(textOf(verify(problem, {{0, 0}, 1, 3})),
              HasSubstr("costs 1, below the lower bound 3"));
}

}  // namespace
}  // namespace sbp::search
