#include "runtime/tensor/StoredType.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/math/BFloat16.h"

namespace sbp::tensor {
namespace {

using plan::ElementType;
using ::testing::ElementsAre;

/// Converts `numbers`, stored as `type`, to elements of `to`, whose C++ type is
/// To.
template <typename To, typename From>
std::vector<To> converted(StoredType type, std::vector<From> numbers,
                          ElementType to) {
  // Numbers in files need not be aligned.
  std::vector<std::byte> bytes(numbers.size() * sizeof(From) + 1);
  std::memcpy(bytes.data() + 1, numbers.data(), numbers.size() * sizeof(From));
  std::vector<To> result(numbers.size());
  convert({type, bytes.data() + 1, int64_t(numbers.size())}, to,
          reinterpret_cast<std::byte*>(result.data()));
  return result;
}

TEST(StoredType, IntegersBecomeIntegersOfAnyWidth) {
  EXPECT_THAT((converted<int32_t, uint16_t>(StoredType::kU16, {0, 50256, 65535},
                                            ElementType::kI32)),
              ElementsAre(0, 50256, 65535));
  EXPECT_THAT((converted<int64_t, int8_t>(StoredType::kI8, {-128, 127},
                                          ElementType::kI64)),
              ElementsAre(-128, 127));
  EXPECT_THAT((converted<int32_t, int64_t>(StoredType::kI64, {-5, 1 << 30},
                                           ElementType::kI32)),
              ElementsAre(-5, 1 << 30));
}

TEST(StoredType, FloatsAreRoundedToTheNearest) {
  EXPECT_THAT((converted<float, double>(StoredType::kF64, {0.1, -1e300},
                                        ElementType::kF32)),
              ElementsAre(0.1f, -std::numeric_limits<float>::infinity()));
  EXPECT_EQ((converted<math::BFloat16, double>(StoredType::kF64, {1 / 3.0},
                                               ElementType::kBF16)[0]),
            math::BFloat16(1 / 3.0f));
}

TEST(StoredType, AllNumbersOfHalfPrecisionAreRight) {
  for (int bits = 0; bits < 65536; ++bits) {
    const float number = converted<float, uint16_t>(
        StoredType::kF16, {uint16_t(bits)}, ElementType::kF32)[0];
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 31) {
      EXPECT_EQ(std::isnan(number), fraction != 0);
      EXPECT_EQ(std::isinf(number), fraction == 0);
    } else {
      const double magnitude = exponent == 0
                                   ? std::ldexp(fraction, -24)
                                   : std::ldexp(1024 + fraction, exponent - 25);
      EXPECT_EQ(double{number}, bits >> 15 ? -magnitude : magnitude);
    }
    EXPECT_EQ(std::signbit(number), bits >> 15 == 1);
  }
}

TEST(StoredType, StridedNumbersAreTakenOneByOne) {
  const int16_t numbers[] = {1, 2, 3, 4, 5, 6};
  int32_t result[2];
  convert({StoredType::kI16, reinterpret_cast<const std::byte*>(numbers), 2,
           /*stride=*/3},
          ElementType::kI32, reinterpret_cast<std::byte*>(result));
  EXPECT_THAT(result, ElementsAre(1, 4));
}

TEST(StoredType, OnlyNumbersOfOneKindBecomeEachOther) {
  EXPECT_TRUE(canBecome(StoredType::kU8, ElementType::kI64));
  EXPECT_TRUE(canBecome(StoredType::kF16, ElementType::kBF16));
  EXPECT_TRUE(canBecome(StoredType::kI1, ElementType::kI1));
  EXPECT_FALSE(canBecome(StoredType::kU8, ElementType::kF32));
  EXPECT_FALSE(canBecome(StoredType::kF32, ElementType::kI32));
  EXPECT_FALSE(canBecome(StoredType::kI1, ElementType::kI32));
}

TEST(StoredType, IntegersThatDoNotFitAreFound) {
  EXPECT_TRUE(fits(StoredType::kU16, ElementType::kI32));
  EXPECT_FALSE(fits(StoredType::kU32, ElementType::kI32));
  EXPECT_TRUE(fits(StoredType::kU32, ElementType::kI64));
  EXPECT_FALSE(fits(StoredType::kU64, ElementType::kI64));
  EXPECT_FALSE(fits(StoredType::kI64, ElementType::kI32));
  EXPECT_TRUE(fits(StoredType::kF64, ElementType::kF32));
  const uint64_t numbers[] = {7, 1, ~uint64_t{0}};
  const auto found = [&](int64_t lowest, int64_t highest) {
    return findOutside(
        {StoredType::kU64, reinterpret_cast<const std::byte*>(numbers), 3},
        lowest, highest);
  };
  EXPECT_EQ(found(0, 5)->index, 0);
  EXPECT_EQ(found(2, 10)->value, "1");
  EXPECT_EQ(found(0, std::numeric_limits<int64_t>::max())->value,
            "18446744073709551615");
}

}  // namespace
}  // namespace sbp::tensor
