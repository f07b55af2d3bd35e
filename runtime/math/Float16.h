// The type f16, IEEE 754's binary16: 5 bits of exponent, 10 of fraction.

#ifndef RUNTIME_MATH_FLOAT16_H_
#define RUNTIME_MATH_FLOAT16_H_

#include <cstdint>
#include <cstring>

namespace sbp::math {

/// A number that is stored as f16. It can be converted to a float, but not made
/// from one.
class Float16 {
 public:
  Float16() = default;

  /// Returns the same number as a float, exactly.
  operator float() const {
    const uint32_t sign = uint32_t{bits_} >> 15 << 31;
    const uint32_t exponent = bits_ >> 10 & 0x1f;
    const uint32_t fraction = bits_ & 0x3ff;
    // The fraction of zeros and subnormal numbers counts units of 2^-24.
    if (exponent == 0) {
      const float magnitude = float(fraction) * 0x1p-24f;
      return sign ? -magnitude : magnitude;
    }
    constexpr uint32_t kSpecial = 0x1f;  // infinities and NaN
    const uint32_t wider = exponent == kSpecial ? 0xff : exponent + (127 - 15);
    const uint32_t bits = sign | wider << 23 | fraction << 13;
    float number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }

 private:
  uint16_t bits_ = 0;
};

}  // namespace sbp::math

#endif  // RUNTIME_MATH_FLOAT16_H_
