#include "runtime/communication/Waiter.h"

#include <time.h>

#include <chrono>

#include "gtest/gtest.h"

namespace sbp::communication {
namespace {

using Clock = std::chrono::steady_clock;

double cpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * time.tv_nsec;
}

TEST(WaiterTest, WhatIsReadyIsNotWaitedFor) {
  watchdog::AbortFlag flag;
  int numQuestions = 0;
  EXPECT_TRUE(Waiter(flag, true).until([&] { return ++numQuestions > 0; }));
  EXPECT_EQ(numQuestions, 1);
}

TEST(WaiterTest, AWaitEndsWhenItsReasonDoes) {
  watchdog::AbortFlag flag;
  for (const bool hasOwnCore : {true, false}) {
    int numQuestions = 0;
    EXPECT_TRUE(
        Waiter(flag, hasOwnCore).until([&] { return ++numQuestions == 1000; }));
    EXPECT_EQ(numQuestions, 1000);
  }
}

TEST(WaiterTest, ALongWaitLeavesTheCoreToOthers) {
  watchdog::AbortFlag flag;
  const double before = cpuSeconds();
  const auto end = Clock::now() + std::chrono::milliseconds(300);
  EXPECT_TRUE(Waiter(flag, true).until([&] { return Clock::now() >= end; }));
  EXPECT_LT(cpuSeconds() - before, 0.1);
}

TEST(WaiterTest, TheEndOfTheWorldEndsAWait) {
  watchdog::AbortFlag flag;
  flag.raise("rank 1 died");
  EXPECT_FALSE(Waiter(flag, true).until([] { return false; }));
}

}  // namespace
}  // namespace sbp::communication
