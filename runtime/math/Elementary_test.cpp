#include "runtime/math/Elementary.h"

#include <cmath>

#include "gtest/gtest.h"

namespace sbp::math {
namespace {

TEST(Elementary, LogarithmAgreesWithLibm) {
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    const double expected = std::log(x);
    EXPECT_NEAR(naturalLogarithm(x), expected, 4e-16 * std::abs(expected));
  }
  for (double x = 0.5; x < 2; x += 0.001)
    EXPECT_NEAR(naturalLogarithm(x), std::log(x), 3e-16);
  EXPECT_EQ(naturalLogarithm(1), 0);
}

TEST(Elementary, ExponentialAgreesWithLibm) {
  for (double x = -707; x < 709; x += 0.173)
    EXPECT_NEAR(exponential(x), std::exp(x), 1e-15 * std::exp(x)) << x;
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(-1e6), 0);
  EXPECT_TRUE(std::isinf(exponential(1e6)));
}

TEST(Elementary, CosineAgreesWithLibm) {
  for (double turns = -3; turns < 3; turns += 0.00137)
    EXPECT_NEAR(cosineOfTurns(turns), std::cos(2 * M_PI * turns), 4e-15)
        << turns;
  EXPECT_EQ(cosineOfTurns(0), 1);
  EXPECT_EQ(cosineOfTurns(0.25), 0);
  EXPECT_EQ(cosineOfTurns(0.5), -1);
}

}  // namespace
}  // namespace sbp::math
