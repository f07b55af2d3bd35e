#include "runtime/calibration/Fit.h"

#include <cmath>
#include <functional>
#include <random>

#include "gtest/gtest.h"

namespace sbp::calibration {
namespace {

std::vector<Point> measure(const std::function<double(double)>& seconds) {
  std::vector<Point> points;
  for (double bytes = 256; bytes <= 16e6; bytes *= 2) {
    points.push_back({bytes, seconds(bytes)});
  }
  return points;
}

void expectNeverFalls(const Price& price) {
  double before = 0;
  for (double bytes = 1; bytes < 1e8; bytes = std::floor(bytes * 1.01 + 1)) {
    EXPECT_LE(before, secondsOf(price, bytes)) << bytes;
    before = secondsOf(price, bytes);
  }
  for (size_t i = 0; i + 1 < price.size(); ++i) {
    const auto border = static_cast<double>(price[i].largestBytes);
    EXPECT_LE(price[i].line.at(border), price[i + 1].line.at(border));
  }
}

TEST(FitTest, ALineIsFoundExactly) {
  const Price price =
      fitPrice(measure([](double m) { return 2e-6 + 1.5e-10 * m; }), 0.15);
  ASSERT_EQ(price.size(), 1u);
  EXPECT_DOUBLE_EQ(price[0].line.alpha, 2e-6);
  EXPECT_DOUBLE_EQ(price[0].line.beta, 1.5e-10);
  EXPECT_EQ(price[0].largestBytes, 0);
}

TEST(FitTest, SmallMessagesCountAsMuchAsLarge) {
  // One large outlier does not spoil the latency.
  auto points = measure([](double m) { return 2e-6 + 1e-10 * m; });
  points.back().seconds *= 1.3;
  EXPECT_NEAR(fitLine(points).alpha, 2e-6, 0.05e-6);
}

TEST(FitTest, NeitherAlphaNorBetaIsNegative) {
  const Line falling = fitLine({{1000, 3e-6}, {1e6, 2e-6}});
  EXPECT_EQ(falling.beta, 0);
  EXPECT_GT(falling.alpha, 0);
  const Line steep = fitLine({{1000, 1e-8}, {1e6, 1e-3}, {2e6, 4e-3}});
  EXPECT_EQ(steep.alpha, 0);
  EXPECT_GT(steep.beta, 0);
}

TEST(FitTest, PointsOfOneSizeGiveALatency) {
  EXPECT_NEAR(fitLine({{1000, 2e-6}, {1000, 2e-6}}).at(1000), 2e-6, 1e-9);
}

TEST(FitTest, ACacheThatEndsIsASecondClass) {
  const auto points = measure(
      [](double m) { return m <= 1e6 ? 1e-6 + 2e-11 * m : 1e-6 + 1e-10 * m; });
  const Price price = fitPrice(points, 0.05);
  ASSERT_EQ(price.size(), 2u);
  EXPECT_LT(worstResidual(price, points), 0.01);
  EXPECT_GE(price[0].largestBytes, 524288);
  EXPECT_LT(price[0].largestBytes, 1048576);
  expectNeverFalls(price);
}

TEST(FitTest, ABendIsFoundWhereTheLinesCross) {
  const auto points = measure(
      [](double m) { return std::max(1e-6 + 2e-11 * m, 5e-10 * m - 3e-6); });
  const Price price = fitPrice(points, 0.02);
  ASSERT_EQ(price.size(), 2u);
  EXPECT_NEAR(static_cast<double>(price[0].largestBytes), 4e-6 / 4.8e-10, 100);
  expectNeverFalls(price);
}

TEST(FitTest, TimesThatFallGiveAPriceThatDoesNot) {
  // The measurements fall at a size, as if an algorithm switched too late.
  const auto points = measure(
      [](double m) { return m < 60000 ? 1e-6 + 4e-10 * m : 1e-6 + 1e-10 * m; });
  expectNeverFalls(fitPrice(points, 0.01));
}

TEST(FitTest, NoiseNeverMakesAPriceFall) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    std::lognormal_distribution<double> noise(0, 0.4);
    const auto points =
        measure([&](double m) { return (1e-6 + 1e-10 * m) * noise(random); });
    const Price price = fitPrice(points, 0.15);
    EXPECT_LE(price.size(), 3u);
    expectNeverFalls(price);
  }
}

TEST(FitTest, OneClassIsEnoughWhereItIsNearEnough) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(0.97, 1.03);
  const auto points =
      measure([&](double m) { return (1e-6 + 1e-10 * m) * noise(random); });
  EXPECT_EQ(fitPrice(points, 0.15).size(), 1u);
}

}  // namespace
}  // namespace sbp::calibration
