#include "runtime/math/Elementary.h"

#include <cstdint>
#include <cstring>
#include <limits>

namespace sbp::math {
namespace {

// log(2) in two parts; the first has zeros at its end, so that its product with
// an exponent is exact.
constexpr double kLog2High = 6.93147180369123816490e-01;
constexpr double kLog2Low = 1.90821492927058770002e-10;
constexpr double kPi = 3.14159265358979323846;

uint64_t bitsOf(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

double fromBits(uint64_t bits) {
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

double powerOfTwo(int64_t exponent) {
  return fromBits(uint64_t(exponent + 1023) << 52);
}

/// The integer nearest to x.
int64_t nearest(double x) { return int64_t(x < 0 ? x - 0.5 : x + 0.5); }

/// The series of cosine (first = 0) or sine (first = 1), for |x| <= pi/4.
double alternatingSeries(double x, int first) {
  double sum = 0;
  // From the smallest term: 1 - x^2/(1*2) * (1 - x^2/(3*4) * (1 - ...)).
  for (int k = 18 + first; k >= 2 + first; k -= 2)
    sum = (1 - sum) * x * x / (k * (k - 1));
  return (first == 0 ? 1 : x) * (1 - sum);
}

}  // namespace

double naturalLogarithm(double x) {
  // x = mantissa * 2^exponent with mantissa in [sqrt(1/2), sqrt(2)).
  int64_t exponent = int64_t(bitsOf(x) >> 52) - 1023;
  double mantissa = x / powerOfTwo(exponent);
  if (mantissa > 1.4142135623730951) {
    mantissa /= 2;
    ++exponent;
  }
  // log(mantissa) = 2 atanh(s) = 2 (s + s^3/3 + s^5/5 + ...), |s| < 0.172.
  const double s = (mantissa - 1) / (mantissa + 1);
  double sum = 0;
  for (int k = 23; k >= 3; k -= 2) sum = (sum + 1.0 / k) * s * s;
  return exponent * kLog2High + (2 * s * (1 + sum) + exponent * kLog2Low);
}

double exponential(double x) {
  if (x < -708) return 0;
  if (x > 709) return std::numeric_limits<double>::infinity();
  // x = exponent * log(2) + rest with |rest| < 0.347.
  const int64_t exponent = nearest(x / (kLog2High + kLog2Low));
  const double rest = (x - exponent * kLog2High) - exponent * kLog2Low;
  double sum = 1;
  for (int k = 14; k >= 1; --k) sum = 1 + sum * rest / k;
  return sum * powerOfTwo(exponent);
}

double cosineOfTurns(double turns) {
  // The nearest quarter turn, and what is left of it: at most an eighth.
  const int64_t quarter = nearest(turns * 4);
  const double angle = (turns - quarter * 0.25) * 2 * kPi;
  switch (quarter & 3) {
    case 0:
      return alternatingSeries(angle, 0);
    case 1:
      return -alternatingSeries(angle, 1);
    case 2:
      return -alternatingSeries(angle, 0);
    default:
      return alternatingSeries(angle, 1);
  }
}

}  // namespace sbp::math
