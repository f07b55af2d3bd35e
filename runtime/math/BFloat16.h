// The type bf16 (bfloat16): the upper half of an f32, with the same exponent
// and 7 bits of fraction.

#ifndef RUNTIME_MATH_BFLOAT16_H_
#define RUNTIME_MATH_BFLOAT16_H_

#include <cstdint>
#include <cstring>

namespace sbp::math {

/// A number that is stored as bf16. Computations convert it to a float.
class BFloat16 {
 public:
  BFloat16() = default;

  /// Rounds `number` to the nearest bf16, ties to even. A NaN becomes a quiet
  /// NaN.
  explicit BFloat16(float number) {
    uint32_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    // Adds half a unit in the last kept place, minus 1 if the kept part is
    // even, so that ties round to even.
    const uint32_t nearest = bits + 0x7fff + (bits >> 16 & 1);
    const uint32_t quiet = bits | 0x400000;
    bits_ = static_cast<uint16_t>((number != number ? quiet : nearest) >> 16);
  }

  /// Returns the same number as a float, exactly.
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
