#include "runtime/device/SumOfSquares.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/math/BFloat16.h"

namespace sbp::device {
namespace {

using Limits = std::numeric_limits<float>;

template <typename Float>
double sumOf(plan::ElementType type, const std::vector<Float>& numbers) {
  return sumOfSquares(type, reinterpret_cast<const std::byte*>(numbers.data()),
                      static_cast<int64_t>(numbers.size()));
}

double sumOf(const std::vector<float>& numbers) {
  return sumOf(plan::ElementType::kF32, numbers);
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

TEST(SumOfSquares, IsOfBf16AsOfTheSameNumbersInF32) {
  std::vector<math::BFloat16> numbers;
  for (int i = 0; i < 100; ++i)
    numbers.emplace_back(static_cast<float>(i) / 7 - 5);
  EXPECT_EQ(sumOf(plan::ElementType::kBF16, numbers),
            sumOf(std::vector<float>(numbers.begin(), numbers.end())));
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
}  // namespace sbp::device
