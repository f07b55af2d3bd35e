// Numbers of bf16, bfloat16: the upper half of an f32, with its exponent and 7
// bits behind the point.

#ifndef RUNTIME_MATH_BFLOAT16_H_
#define RUNTIME_MATH_BFLOAT16_H_

#include <cstdint>
#include <cstring>

namespace sbp::math {

/// It is stored so, and computed with as a float.
class BFloat16 {
 public:
  BFloat16() = default;

  /// The nearest number, of two the one that is even; NaN is a quiet NaN.
  explicit BFloat16(float number) {
    uint32_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    // Half of a last place, and a bit less where the number is even.
    const uint32_t nearest = bits + 0x7fff + (bits >> 16 & 1);
    const uint32_t quiet = bits | 0x400000;
    bits_ = static_cast<uint16_t>((number != number ? quiet : nearest) >> 16);
  }

  operator float() const {
    const uint32_t bits = uint32_t{bits_} << 16;
    float number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }

 private:
  uint16_t bits_ = 0;
};

}  // namespace sbp::math

#endif  // RUNTIME_MATH_BFLOAT16_H_
