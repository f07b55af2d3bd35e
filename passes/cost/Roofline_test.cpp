#include "passes/cost/Roofline.h"

#include "gtest/gtest.h"

namespace sbp {
namespace {

const ScalarType kF32{"f32", true, 32}, kF64{"f64", true, 64},
    kF16{"f16", true, 16}, kBf16{"bf16", true, 16}, kI8{"i8", false, 8},
    kI32{"i32", false, 32}, kI64{"i64", false, 64};

/// Returns a device of 1 GB/s, and f32 at 1 TFLOP/s with an efficiency from a
/// tenth at 1e6 FLOPs to a half at 1e9.
Device device() {
  Device device{1e9, 1e9, {}};
  device.rates = {{kF32, 1e12, {{1e6, 0.1}, {1e8, 0.4}, {1e9, 0.5}}},
                  {kBf16, 8e12, {}},
                  {kI8, 3e13, {}}};
  return device;
}

double rateAt(double flops) {
  return flops / computeSeconds(device(), kF32, flops, 0);
}

TEST(RooflineTest, TheLongerOfComputingAndMovingCounts) {
  EXPECT_DOUBLE_EQ(computeSeconds(device(), kBf16, 8e9, 0), 1e-3);
  EXPECT_DOUBLE_EQ(computeSeconds(device(), kBf16, 8e9, 1e6), 1e-3);
  EXPECT_DOUBLE_EQ(computeSeconds(device(), kBf16, 8e9, 1e7), 1e-2);
  EXPECT_DOUBLE_EQ(computeSeconds(device(), kF32, 0, 1e6), 1e-3);
  EXPECT_EQ(computeSeconds(device(), kF32, 0, 0), 0);
}

TEST(RooflineTest, AnOpTakesALaunchFirst) {
  Device launched = device();
  launched.launchSeconds = 1e-6;
  EXPECT_DOUBLE_EQ(computeSeconds(launched, kBf16, 8e9, 1e6), 1e-3 + 1e-6);
  EXPECT_DOUBLE_EQ(computeSeconds(launched, kF32, 0, 0), 1e-6);
}

TEST(RooflineTest, EfficiencyIsStraightOnLogarithmicAxes) {
  EXPECT_NEAR(rateAt(1e6), 1e11, 1);
  EXPECT_NEAR(rateAt(1e7), 2e11, 1);  // geometric mean of 0.1 and 0.4
  EXPECT_NEAR(rateAt(1e8), 4e11, 1);
  EXPECT_NEAR(rateAt(1e9), 5e11, 1);
}

TEST(RooflineTest, EfficiencyIsConstantOutsideItsPoints) {
  EXPECT_NEAR(rateAt(1), 1e11, 1);
  EXPECT_NEAR(rateAt(1e12), 5e11, 1);
}

TEST(RooflineTest, NoOpIsFasterThanASmallerOne) {
  double before = 0;
  for (double flops = 1; flops < 1e12; flops *= 1.1) {
    double seconds = computeSeconds(device(), kF32, flops, 0);
    EXPECT_LT(before, seconds) << flops;
    before = seconds;
  }
}

TEST(RooflineTest, ATypeWithoutARateHasThatOfTheNextWiderFloat) {
  auto seconds = [](const ScalarType& type) {
    return computeSeconds(device(), type, 1e12, 1);
  };
  EXPECT_EQ(seconds(kF16), seconds(kBf16));
  EXPECT_EQ(seconds(kI32), seconds(kF32));
  EXPECT_DOUBLE_EQ(seconds(kI8), 1e12 / 3e13);
  // No float type is as wide, so only the bytes count.
  EXPECT_DOUBLE_EQ(seconds(kF64), 1e-9);
  EXPECT_DOUBLE_EQ(seconds(kI64), 1e-9);
}

}  // namespace
}  // namespace sbp
