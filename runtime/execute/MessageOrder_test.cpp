// Tests of message-driven execution: which blocks can run.

#include "runtime/execute/MessageOrder.h"

#include <random>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace sbp::execute {
namespace {

using plan::Loop;
using plan::SlotsInUse;

/// Returns a loop with two of four micro-batches in flight. Block 0 is 1F,
/// block 1 is 1B.
Loop oneStage(int64_t numSlots = 2) {
  Loop loop;
  loop.numMicroBatches = 4;
  loop.blocks = {{"1F", 0, 1, 4}, {"1B", 1, 2, 4}};
  loop.order = {{0, 0}, {0, 1}, {1, 0}, {0, 2}, {1, 1}, {0, 3}, {1, 2}, {1, 3}};
  loop.slots = {{0, 64, numSlots, {0, 1}}};
  loop.messages = Loop::Messages{{/*1F=*/2, /*1B=*/1}, {}};
  return loop;
}

/// Runs blocks of a loop, and keeps track of its slots.
class Runner {
 public:
  explicit Runner(const Loop& loop) : loop_(loop), order(loop) {
    for (const Loop::Slots& slots : loop.slots)
      inUse_.emplace_back(slots.users);
  }

  bool canRun(size_t block) const { return order.canRun(block, inUse_); }

  void run(size_t block) {
    const int64_t microBatch = order.microBatchOf(block);
    const auto isUser = [&](const Loop::Slots& slots) {
      return std::set<int64_t>(slots.users.begin(), slots.users.end())
                 .count(static_cast<int64_t>(block)) > 0;
    };
    for (size_t i = 0; i < inUse_.size(); ++i)
      if (isUser(loop_.slots[i])) inUse_[i].begin(microBatch);
    for (size_t i = 0; i < inUse_.size(); ++i)
      if (isUser(loop_.slots[i])) inUse_[i].end(microBatch);
    order.noteRun(block);
  }

  int64_t mostSlots(size_t slots) const { return inUse_[slots].most(); }

 private:
  const Loop& loop_;

 public:
  MessageOrder order;

 private:
  std::vector<SlotsInUse> inUse_;
};

TEST(MessageOrder, ABackwardWaitsForTheForwardOfItsMicroBatch) {
  const Loop loop = oneStage();
  Runner runner(loop);
  EXPECT_TRUE(runner.canRun(0));
  EXPECT_FALSE(runner.canRun(1));
  runner.run(0);
  EXPECT_TRUE(runner.canRun(1));
}

TEST(MessageOrder, AForwardWaitsForASlot) {
  const Loop loop = oneStage();
  Runner runner(loop);
  runner.run(0);
  runner.run(0);
  EXPECT_FALSE(runner.canRun(0));
  runner.run(1);
  EXPECT_TRUE(runner.canRun(0));
}

TEST(MessageOrder, BackwardsAreFirst) {
  const Loop loop = oneStage();
  EXPECT_EQ(MessageOrder(loop).byUrgency(), (std::vector<size_t>{1, 0}));
}

TEST(MessageOrder, MicroBatchesOfABlockKeepTheOrderOfThePlan) {
  Loop loop = oneStage();
  loop.order = {{0, 2}, {0, 1}, {1, 1}, {1, 2}, {0, 0}, {1, 0}, {0, 3}, {1, 3}};
  Runner runner(loop);
  std::vector<int64_t> microBatches;
  while (runner.order.hasNextRun(0)) {
    const size_t block = runner.canRun(1) ? 1 : 0;
    if (block == 0) microBatches.push_back(runner.order.microBatchOf(0));
    runner.run(block);
  }
  EXPECT_EQ(microBatches, (std::vector<int64_t>{2, 1, 0, 3}));
}

TEST(MessageOrder, BlocksOfOtherPipesRunForTheirOwnMicroBatches) {
  Loop loop;
  loop.numMicroBatches = 3;
  loop.blocks = {{"0F", 0, 1, 2}, {"1F", 1, 2, 1}};
  loop.order = {{0, 0}, {1, 1}, {0, 2}};
  loop.messages = Loop::Messages{{1, 1}, {}};
  Runner runner(loop);
  EXPECT_EQ(runner.order.microBatchOf(1), 1);
  runner.run(1);
  EXPECT_FALSE(runner.order.hasNextRun(1));
  runner.run(0);
  EXPECT_EQ(runner.order.microBatchOf(0), 2);
  runner.run(0);
  EXPECT_TRUE(runner.order.isDone());
}

/// Returns the loop of a rank that runs two stages: block 3 reduces the
/// gradients of stage 2 while stage 0 still runs backwards.
Loop twoStages() {
  Loop loop;
  loop.numMicroBatches = 2;
  loop.blocks = {{"0F", 0, 1, 2},
                 {"2B", 1, 2, 2},
                 {"0B", 2, 3, 2},
                 {"2G", 3, 4, 1, /*isOnce=*/true}};
  loop.order = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {3, 0}, {2, 0}, {2, 1}};
  loop.messages = Loop::Messages{{2, 1, 1, 3}, {}};
  return loop;
}

TEST(MessageOrder, WhatRunsOnceWaitsForAllThatIsOverBeforeItInThePlan) {
  const Loop loop = twoStages();
  Runner runner(loop);
  for (const size_t block : {0, 0, 1}) runner.run(block);
  EXPECT_FALSE(runner.canRun(3));
  runner.run(1);
  EXPECT_TRUE(runner.canRun(3));
}

TEST(MessageOrder, NothingWaitsForWhatRunsOnce) {
  const Loop loop = twoStages();
  Runner runner(loop);
  for (const size_t block : {0, 0, 1, 1, 2, 2}) {
    ASSERT_TRUE(runner.canRun(block));
    runner.run(block);
  }
  EXPECT_FALSE(runner.order.isDone());
  runner.run(3);
  EXPECT_TRUE(runner.order.isDone());
}

TEST(MessageOrder, SomethingCanAlwaysRunUntilAllHas) {
  std::mt19937 random(1);
  for (int round = 0; round < 1000; ++round) {
    const Loop loop = oneStage(/*numSlots=*/2);
    Runner runner(loop);
    while (!runner.order.isDone()) {
      std::vector<size_t> ready;
      for (size_t block = 0; block < loop.blocks.size(); ++block)
        if (runner.canRun(block)) ready.push_back(block);
      ASSERT_FALSE(ready.empty());
      runner.run(ready[random() % ready.size()]);
    }
    EXPECT_LE(runner.mostSlots(0), 2);
  }
}

}  // namespace
}  // namespace sbp::execute
