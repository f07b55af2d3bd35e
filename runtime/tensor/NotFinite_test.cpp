#include "runtime/tensor/NotFinite.h"

#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/math/BFloat16.h"

namespace sbp::tensor {
namespace {

using Limits = std::numeric_limits<float>;

std::optional<NotFinite> find(const std::vector<float>& numbers) {
  return findNotFinite(plan::ElementType::kF32,
                       reinterpret_cast<const std::byte*>(numbers.data()),
                       static_cast<int64_t>(numbers.size()));
}

TEST(NotFinite, IsNoneOfTheLargestAndSmallestNumbers) {
  EXPECT_EQ(find({}), std::nullopt);
  EXPECT_EQ(find({Limits::max(), Limits::lowest(), Limits::min(),
                  Limits::denorm_min(), -0.0f}),
            std::nullopt);
}

TEST(NotFinite, IsFoundWhereverItIs) {
  std::vector<float> numbers(3000, 1.0f);
  for (int64_t place : {2999, 1024, 1023, 0}) {
    numbers[place] = Limits::infinity();
    ASSERT_TRUE(find(numbers).has_value());
    EXPECT_EQ(find(numbers)->element, place);
    EXPECT_EQ(find(numbers)->value, Limits::infinity());
  }
}

TEST(NotFinite, IsFoundInBf16AndInNoIntegers) {
  std::vector<math::BFloat16> numbers(3000, math::BFloat16(1.0f));
  numbers[1999] = math::BFloat16(Limits::infinity());
  numbers[2000] = math::BFloat16(Limits::quiet_NaN());
  const auto* bytes = reinterpret_cast<const std::byte*>(numbers.data());
  const auto found = findNotFinite(plan::ElementType::kBF16, bytes, 3000);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(toString(*found, {3000}), "inf at [1999]");
  const auto nan = findNan(plan::ElementType::kBF16, bytes, 3000);
  ASSERT_TRUE(nan.has_value());
  EXPECT_EQ(toString(*nan, {3000}), "nan at [2000]");
  EXPECT_EQ(findNotFinite(plan::ElementType::kI32, bytes, 1500), std::nullopt);
}

TEST(NotFinite, IsNanWithoutASign) {
  const auto found = find({1.0f, -Limits::quiet_NaN()});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(toString(*found, {2}), "nan at [1]");
}

TEST(NotFinite, IsSaidWithItsPlaceInTheTensor) {
  EXPECT_EQ(toString({5, -Limits::infinity()}, {2, 3}), "-inf at [1, 2]");
  EXPECT_EQ(toString({0, Limits::quiet_NaN()}, {}), "nan");
}

}  // namespace
}  // namespace sbp::tensor
