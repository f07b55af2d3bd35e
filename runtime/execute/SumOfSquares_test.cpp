#include "runtime/execute/SumOfSquares.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace sbp::execute {
namespace {

using Limits = std::numeric_limits<float>;

double sumOf(const std::vector<float>& numbers) {
  return sumOfSquares(numbers.data(), static_cast<int64_t>(numbers.size()));
}

TEST(SumOfSquares, CountsEveryNumberWhateverTheirNumber) {
  std::vector<float> numbers;
  double expected = 0;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(sumOf(numbers), expected) << i;
    numbers.push_back(static_cast<float>(i) - 50);
    expected += (i - 50) * (i - 50);
  }
}

TEST(SumOfSquares, IsFiniteOfTheLargestNumbers) {
  EXPECT_TRUE(std::isfinite(sumOf(std::vector<float>(100, Limits::max()))));
}

TEST(SumOfSquares, IsNotFiniteIfOneNumberIsNot) {
  for (float bad :
       {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()})
    for (int place = 0; place < 40; ++place) {
      std::vector<float> numbers(40, 1.0f);
      numbers[place] = bad;
      EXPECT_FALSE(std::isfinite(sumOf(numbers))) << bad << " at " << place;
    }
}

}  // namespace
}  // namespace sbp::execute
