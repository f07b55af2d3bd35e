// The four functions of libm that fmt and Abseil call.
//
// A compiled program needs no library but libc. The static libm cannot be used:
// it depends on private parts of the dynamic loader, which change from version
// to version. The project's own code uses runtime/math. Any other function of
// libm would be reported by the linker.

#include <cstdint>

#include "runtime/math/Elementary.h"

extern "C" {

double nan(const char*) { return __builtin_nan(""); }

float nanf(const char*) { return __builtin_nanf(""); }

double ceil(double x) {
  // From 2^52 on, and for infinities and NaN, x is its own ceiling.
  if (!(x > -0x1p52 && x < 0x1p52)) return x;
  const double truncated = double(int64_t(x));
  return truncated < x ? truncated + 1 : truncated;
}

double log2(double x) {
  constexpr double kInverseLog2 = 1.44269504088896340736;
  if (x < 0 || x != x) return __builtin_nan("");
  if (x == 0) return -__builtin_inf();
  if (x == __builtin_inf()) return x;
  return sbp::math::naturalLogarithm(x) * kInverseLog2;
}

}  // extern "C"
