#include "runtime/sample/NextToken.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace sbp::sample {
namespace {

constexpr int64_t kCount = 4;
const float kLogits[kCount] = {0, std::log(2.0f), std::log(5.0f),
                               std::log(2.0f)};

TEST(NextToken, AtTemperatureZeroTheFirstOfTheBest) {
  EXPECT_EQ(nextToken(kLogits, kCount, {0, 0}, 0.99), 2);
  const float equal[] = {1, 1, 1};
  EXPECT_EQ(nextToken(equal, 3, {0, 0}, 0.99), 0);
}

/// Returns the frequency of each token for evenly spaced uniform numbers.
std::vector<double> frequencies(const Choice& choice) {
  constexpr int kDraws = 10000;
  std::vector<double> result(kCount);
  for (int i = 0; i < kDraws; ++i)
    result[nextToken(kLogits, kCount, choice, (i + 0.5) / kDraws)] +=
        1.0 / kDraws;
  return result;
}

TEST(NextToken, FollowsTheSoftmaxOfTheScores) {
  const auto warm = frequencies({1, 0});
  const double expected[] = {0.1, 0.2, 0.5, 0.2};
  for (int i = 0; i < kCount; ++i) EXPECT_NEAR(warm[i], expected[i], 1e-3);
  // Half the temperature squares the weights: 1, 4, 25, 4.
  const auto cold = frequencies({0.5, 0});
  EXPECT_NEAR(cold[2], 25.0 / 34, 1e-3);
}

TEST(NextToken, TopKLeavesOutTheRest) {
  const auto top = frequencies({1, 2});
  EXPECT_EQ(top[0], 0);
  EXPECT_EQ(top[3], 0);
  EXPECT_NEAR(top[2], 5.0 / 7, 1e-3);
}

TEST(NextToken, ScoresThatAreNoNumbersAreNeverChosenIfOthersAre) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const float logits[] = {nan, 0, -infinity};
  for (double uniform : {0.0, 0.5, 0.999999})
    EXPECT_EQ(nextToken(logits, 3, {1, 0}, uniform), 1);
  const float none[] = {nan, nan};
  EXPECT_LT(nextToken(none, 2, {1, 0}, 0.5), 2);
}

}  // namespace
}  // namespace sbp::sample
