#include "runtime/math/Elementary.h"

#include <emmintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace sbp::math {
namespace {

// log(2) as the sum of two parts. The low bits of the first are zero, so that
// its product with an exponent is exact.
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

/// Returns 2^exponent, for exponents of normal numbers.
double powerOfTwo(int64_t exponent) {
  return fromBits(uint64_t(exponent + 1023) << 52);
}

/// Returns the integer nearest to x, ties away from zero.
int64_t nearest(double x) { return int64_t(x < 0 ? x - 0.5 : x + 0.5); }

/// Evaluates a polynomial by Horner's rule, highest coefficient first.
template <size_t n>
double polynomial(const double (&coefficients)[n], double x) {
  double sum = coefficients[0];
  for (size_t i = 1; i < n; ++i) sum = sum * x + coefficients[i];
  return sum;
}

// Taylor series, long enough to be exact to a double for the reduced arguments
// below: 2 atanh(s) / s in s^2, exp(x) in x, cos(x) and sin(x) / x in x^2.
constexpr double kArtanh[] = {2. / 23, 2. / 21, 2. / 19, 2. / 17,
                              2. / 15, 2. / 13, 2. / 11, 2. / 9,
                              2. / 7,  2. / 5,  2. / 3,  2.};
constexpr double kExponential[] = {1. / 6227020800,
                                   1. / 479001600,
                                   1. / 39916800,
                                   1. / 3628800,
                                   1. / 362880,
                                   1. / 40320,
                                   1. / 5040,
                                   1. / 720,
                                   1. / 120,
                                   1. / 24,
                                   1. / 6,
                                   1. / 2,
                                   1.,
                                   1.};
constexpr double kCosine[] = {1. / 20922789888000,
                              -1. / 87178291200,
                              1. / 479001600,
                              -1. / 3628800,
                              1. / 40320,
                              -1. / 720,
                              1. / 24,
                              -1. / 2,
                              1.};
constexpr double kSine[] = {1. / 355687428096000,
                            -1. / 1307674368000,
                            1. / 6227020800,
                            -1. / 39916800,
                            1. / 362880,
                            -1. / 5040,
                            1. / 120,
                            -1. / 6,
                            1.};

}  // namespace

double naturalLogarithm(double x) {
  // x = mantissa * 2^exponent with mantissa in [sqrt(1/2), sqrt(2)).
  int64_t exponent = int64_t(bitsOf(x) >> 52) - 1023;
  double mantissa = x / powerOfTwo(exponent);
  if (mantissa > 1.4142135623730951) {
    mantissa /= 2;
    ++exponent;
  }
  // log(mantissa) = 2 atanh(s), |s| < 0.172.
  const double s = (mantissa - 1) / (mantissa + 1);
  return exponent * kLog2High +
         (s * polynomial(kArtanh, s * s) + exponent * kLog2Low);
}

double exponential(double x) {
  if (x < -708) return 0;
  if (x > 709) return std::numeric_limits<double>::infinity();
  // x = exponent * log(2) + rest with |rest| < 0.347.
  const int64_t exponent = nearest(x / (kLog2High + kLog2Low));
  const double rest = (x - exponent * kLog2High) - exponent * kLog2Low;
  return polynomial(kExponential, rest) * powerOfTwo(exponent);
}

double squareRoot(double x) {
  return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x)));
}

double cosineOfTurns(double turns) {
  // Reduce to the nearest quarter turn and a rest of at most an eighth of a
  // turn.
  const int64_t quarter = nearest(turns * 4);
  const double angle = (turns - quarter * 0.25) * 2 * kPi;
  const double square = angle * angle;
  switch (quarter & 3) {
    case 0:
      return polynomial(kCosine, square);
    case 1:
      return -angle * polynomial(kSine, square);
    case 2:
      return -polynomial(kCosine, square);
    default:
      return angle * polynomial(kSine, square);
  }
}

}  // namespace sbp::math
