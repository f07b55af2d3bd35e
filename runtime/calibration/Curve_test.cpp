#include "runtime/calibration/Curve.h"

#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace sbp::calibration {
namespace {

TEST(CurveTest, AGpuWithLatencyReachesItsPeakInLargeOps) {
  std::vector<TimedOp> ops;
  for (double flops = 1e6; flops < 1e12; flops *= 8)
    ops.push_back({flops, 1e-5 + flops / 5e13});
  const TypeRate rate = rateOf("f32", ops);
  EXPECT_EQ(rate.type, "f32");
  EXPECT_NEAR(rate.flopsPerSecond, 5e13, 1e12);
  for (size_t i = 0; i < ops.size(); ++i)
    EXPECT_NEAR(rate.curve[i].fraction * rate.flopsPerSecond,
                ops[i].flops / ops[i].seconds, rate.flopsPerSecond * 1e-3);
  EXPECT_NEAR(rate.curve.back().fraction, 1, 1e-3);
}

TEST(CurveTest, NoOpTakesLessTimeThanASmallerOneWhateverIsMeasured) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-8, 0);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<TimedOp> ops;
    double flops = 3e5;
    for (int i = 0; i <= trial % 8; ++i)
      ops.push_back({flops *= 8, std::pow(10, noise(random))});
    const TypeRate rate = rateOf("bf16", ops);
    ASSERT_EQ(rate.curve.size(), ops.size());
    for (size_t i = 0; i < ops.size(); ++i) {
      EXPECT_GT(rate.curve[i].fraction, 0);
      EXPECT_LE(rate.curve[i].fraction, 1);
      if (i == 0) continue;
      // As dialects/sbp/DeviceAttrs.cpp verifies it.
      EXPECT_LE(rate.curve[i - 1].flops / rate.curve[i - 1].fraction,
                rate.curve[i].flops / rate.curve[i].fraction);
    }
  }
}

}  // namespace
}  // namespace sbp::calibration
