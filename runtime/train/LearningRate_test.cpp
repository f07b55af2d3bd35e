#include "runtime/train/LearningRate.h"

#include "gtest/gtest.h"

namespace sbp::train {
namespace {

using Schedule = LearningRate::Schedule;

TEST(LearningRate, WarmsUpInEqualSteps) {
  const LearningRate rate{Schedule::kConstant, 4, 0, 4, 10};
  EXPECT_DOUBLE_EQ(rate.at(0), 1);
  EXPECT_DOUBLE_EQ(rate.at(2), 3);
  EXPECT_DOUBLE_EQ(rate.at(3), 4);
  EXPECT_DOUBLE_EQ(rate.at(9), 4);
}

TEST(LearningRate, FallsFromThePeakToTheMinimumAtTheLastStep) {
  for (Schedule schedule : {Schedule::kLinear, Schedule::kCosine}) {
    const LearningRate rate{schedule, 4, 1, 2, 13};
    EXPECT_DOUBLE_EQ(rate.at(2), 4);
    EXPECT_DOUBLE_EQ(rate.at(7), 2.5);
    EXPECT_DOUBLE_EQ(rate.at(12), 1);
    EXPECT_DOUBLE_EQ(rate.at(100), 1);
    for (int64_t step = 3; step < 13; ++step)
      EXPECT_LT(rate.at(step), rate.at(step - 1));
  }
}

TEST(LearningRate, AWarmupLongerThanTheRunNeverReachesThePeak) {
  const LearningRate rate{Schedule::kCosine, 1, 0, 100, 10};
  EXPECT_DOUBLE_EQ(rate.at(9), 0.1);
}

}  // namespace
}  // namespace sbp::train
