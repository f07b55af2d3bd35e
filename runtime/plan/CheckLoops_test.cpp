// Tests of what the loop of a plan may contain.

#include <functional>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/LoopRuns.h"

namespace sbp::plan {
namespace {

using ::testing::HasSubstr;

/// Makes a plan for a rank that runs the forward of two micro-batches before
/// the backward: blocks 1F and 1B on two slots.
Plan pipelinedPlan() {
  Plan plan;
  plan.groups = {Group{{"one", 1}}};
  plan.kernels = {{"kernel", "nn.relu", {}, {{ElementType::kF32, {16}}}}};
  plan.entries = {{"step", {}, {}}};
  Loop loop = {0, 2, /*numMicroBatches=*/3, {}};
  loop.microBatchBuffer = 192;
  loop.blocks = {{"1F", 0, 1, /*numRuns=*/3}, {"1B", 1, 2, 3}};
  loop.order = {{0, 0}, {0, 1}, {1, 0}, {0, 2}, {1, 1}, {1, 2}};
  loop.slots = {{/*buffer=*/0, /*bytes=*/64, /*count=*/2, /*users=*/{0, 1}}};
  EntryProgram entry;
  entry.arenaBytes = 256;
  entry.tasks = {KernelTask{0, {0}}, KernelTask{0, {0}}};
  entry.firstUpdate = 2;
  entry.calls = {{"step"}};
  entry.loops = {loop};
  plan.programs = {{{0}, 0, {}, {entry}}};
  return plan;
}

TEST(Loops, RoundTrip) {
  const std::string text = toJson(pipelinedPlan());
  const auto plan = fromJson(text);
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  EXPECT_EQ(toJson(*plan), text);
}

TEST(Loops, RunTheirBlocks) {
  const std::pair<const char*, std::function<void(Loop&)>> contradictions[] = {
      {"2 slots, of which 3 are in use at once",
       [](Loop& l) { std::swap(l.order[2], l.order[3]); }},
      {"runs block 0 twice for micro-batch 1",
       [](Loop& l) { l.order[3].microBatch = 1; }},
      {"runs block 1 2 times, not 3", [](Loop& l) { l.order.pop_back(); }},
      {"runs block 1 0 times, not 0",
       [](Loop& l) {
         l.order = {{0, 0}, {0, 1}, {0, 2}};
         l.blocks[1].numRuns = 0;
       }},
      {"block 1 of a loop runs once, but not for micro-batch 0",
       [](Loop& l) { l.blocks[1].isOnce = true; }},
      {"slots of blocks 0 and 1, of which one runs for micro-batch 2",
       [](Loop& l) {
         l.order.pop_back();
         l.blocks[1].numRuns = 2;
       }},
      {"runs block 2 for 0", [](Loop& l) { l.order[0].block = 2; }},
      {"runs block 0 for 3", [](Loop& l) { l.order[0].microBatch = 3; }},
      {"has the tasks [1, 1), where 0 is next",
       [](Loop& l) { l.blocks[0].first = l.blocks[0].last; }},
      {"the blocks of a loop end at task 1, the loop at 2",
       [](Loop& l) { l.blocks[1].last = 1; }},
      {"5 slots of 64 bytes at 0 in an arena of 256",
       [](Loop& l) { l.slots[0].count = 5; }},
      {"2 slots of 60 bytes", [](Loop& l) { l.slots[0].bytes = 60; }},
      {"slots of block 2 after 0, of 2 blocks",
       [](Loop& l) { l.slots[0].users[1] = 2; }},
      {"slots at 0 and at 64 overlap",
       [](Loop& l) {
         l.slots.push_back(l.slots[0]);
         l.slots[1].buffer = 64;
         l.slots[1].count = 2;
       }},
      {"the micro-batch of a loop at 256",
       [](Loop& l) { l.microBatchBuffer = 256; }},
  };
  EXPECT_TRUE(check(pipelinedPlan()).ok()) << check(pipelinedPlan());
  for (const auto& [message, introduce] : contradictions) {
    Plan plan = pipelinedPlan();
    introduce(plan.programs[0].entries[0].loops[0]);
    EXPECT_THAT(std::string(check(plan).message()), HasSubstr(message));
  }
}

TEST(Loops, TakeTheLowestFreeSlot) {
  SlotsInUse slots(/*users=*/{0, 1});
  const auto runFor = [&](int64_t microBatch) {
    slots.begin(microBatch);
    const int64_t slot = slots.slotOf(microBatch);
    slots.end(microBatch);
    return slot;
  };
  EXPECT_EQ(runFor(0), 0);
  EXPECT_EQ(runFor(1), 1);
  EXPECT_EQ(runFor(2), 2);
  EXPECT_EQ(runFor(1), 1);  // frees its slot
  EXPECT_EQ(runFor(0), 0);
  EXPECT_EQ(runFor(3), 0);
  EXPECT_EQ(slots.most(), 3);
}

/// Makes the same plan for two ranks, with a message-driven loop.
Plan drivenPlan() {
  Plan plan = pipelinedPlan();
  plan.groups = {Group{{"data", 2}}};
  plan.programs[0].ranks = {0, 1};
  CollectiveTask agreement;
  agreement.axes = {0};
  agreement.reduction = ReductionKind::kMin;
  agreement.inShape = agreement.outShape = {2};
  agreement.in = agreement.out = 128;
  plan.programs[0].entries[0].loops[0].messages =
      Loop::Messages{{/*1F=*/2, /*1B=*/1}, agreement};
  return plan;
}

TEST(Loops, WhoseOrderMessagesDecideRoundTrip) {
  const std::string text = toJson(drivenPlan());
  const auto plan = fromJson(text);
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  EXPECT_EQ(toJson(*plan), text);
}

TEST(Loops, WhoseOrderMessagesDecideSayOnWhatRanksAgree) {
  const std::pair<const char*, std::function<void(Loop::Messages&)>>
      contradictions[] = {
          {"1 urgencies of 2 blocks",
           [](Loop::Messages& m) { m.urgencies = {0}; }},
          {"agree on 2 blocks otherwise",
           [](Loop::Messages& m) { m.agreement.inShape = {3}; }},
          {"agree on 2 blocks otherwise",
           [](Loop::Messages& m) {
             m.agreement.reduction = ReductionKind::kMax;
           }},
          {"agree on 2 blocks otherwise",
           [](Loop::Messages& m) { m.agreement.out = 192; }},
          {"agree on 2 blocks otherwise",
           [](Loop::Messages& m) { m.agreement.bucket = 0; }},
          {"0 of 1 axes", [](Loop::Messages& m) { m.agreement.axes.clear(); }},
      };
  EXPECT_TRUE(check(drivenPlan()).ok()) << check(drivenPlan());
  for (const auto& [message, introduce] : contradictions) {
    Plan plan = drivenPlan();
    introduce(*plan.programs[0].entries[0].loops[0].messages);
    EXPECT_THAT(std::string(check(plan).message()), HasSubstr(message));
  }
}

TEST(Loops, OfRanksThatAgreeAreAlike) {
  Plan plan = drivenPlan();
  plan.programs = {plan.programs[0], plan.programs[0]};
  plan.programs[0].ranks = {0};
  plan.programs[1].ranks = {1};
  EXPECT_TRUE(check(plan).ok()) << check(plan);
  std::swap(plan.programs[1].entries[0].loops[0].order[0],
            plan.programs[1].entries[0].loops[0].order[1]);
  EXPECT_THAT(std::string(check(plan).message()),
              HasSubstr("ranks 0 and 1 agree on blocks that are not the same"));
}

}  // namespace
}  // namespace sbp::plan
