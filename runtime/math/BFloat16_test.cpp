#include "runtime/math/BFloat16.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "gtest/gtest.h"

namespace sbp::math {
namespace {

BFloat16 ofBits(uint16_t bits) {
  BFloat16 number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

uint16_t bitsOf(BFloat16 number) {
  uint16_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

TEST(BFloat16, IsAFloatAndBackTheSame) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const float number = ofBits(static_cast<uint16_t>(bits));
    if (std::isnan(number)) {
      EXPECT_TRUE(std::isnan(float{BFloat16(number)}));
    } else {
      EXPECT_EQ(bitsOf(BFloat16(number)), bits);
    }
  }
}

// The number after the largest one is infinity, as if it were 2^128.
TEST(BFloat16, IsTheNearestNumberAndOfTwoTheEvenOne) {
  for (uint16_t bits = 0; bits < 0x7f80; ++bits) {
    const float low = ofBits(bits);
    const float high = ofBits(static_cast<uint16_t>(bits + 1));
    const double above = std::isinf(high) ? std::ldexp(1.0, 128) : double{high};
    const auto middle = static_cast<float>((low + above) / 2);
    const uint16_t even = bits % 2 == 0 ? bits : bits + 1;
    EXPECT_EQ(bitsOf(BFloat16(std::nextafter(middle, low))), bits);
    EXPECT_EQ(bitsOf(BFloat16(middle)), even);
    EXPECT_EQ(bitsOf(BFloat16(std::nextafter(
                  middle, std::numeric_limits<float>::infinity()))),
              bits + 1);
    EXPECT_EQ(float{BFloat16(-middle)}, -float{BFloat16(middle)});
  }
}

// The bits of a NaN's fraction may all be in the lower half.
TEST(BFloat16, OfANanIsANan) {
  for (uint32_t bits : {0x7f800001u, 0x7fffffffu, 0xff800001u, 0xffffffffu}) {
    float nan;
    std::memcpy(&nan, &bits, sizeof nan);
    EXPECT_TRUE(std::isnan(float{BFloat16(nan)}));
  }
}

}  // namespace
}  // namespace sbp::math
