#include "runtime/communication/StagingLayout.h"

#include <vector>

#include "gtest/gtest.h"

namespace sbp::communication {
namespace {

using plan::TransferTask;

plan::CollectiveTask collective(int64_t in, int64_t out, int64_t inElements,
                                int64_t outElements) {
  plan::CollectiveTask task;
  task.in = in;
  task.out = out;
  task.inShape = {inElements};
  task.outShape = {outElements};
  return task;
}

TEST(StagingLayout, CollectivesOfABucketLieSideBySide) {
  const auto staged = StagingLayout::staged({collective(4096, 8192, 10, 20),
                                             collective(64, 64, 17, 17),
                                             collective(0, 1024, 1, 1)});
  EXPECT_EQ(staged[0].in, 0);
  EXPECT_EQ(staged[0].out, 64);
  EXPECT_EQ(staged[1].in, 192);
  EXPECT_EQ(staged[1].out, 192) << "what is in place stays in place";
  EXPECT_EQ(staged[2].in, 320);
  EXPECT_EQ(staged[2].out, 384);
}

/// Makes a plan whose rank 0 sends an f32[5] to rank 1 for each of four
/// micro-batches, in blocks that start and finish in `order`.
plan::Plan sendingPlan(std::vector<plan::Loop::BlockRun> order) {
  plan::Plan plan;
  plan.groups = {plan::Group{{"gpu", 2}}, plan::Group{{"gpu", 1}}};
  plan.groups[1].ranks = {0};
  plan::Transfer transfer;
  transfer.source.shape = transfer.target.shape = {5};
  transfer.source.placement.resize(1);
  transfer.target.placement.resize(1);
  transfer.source.group = transfer.target.group = 1;
  transfer.times = 4;
  plan.entries.emplace_back();
  plan.entries[0].transfers = {transfer};
  plan::EntryProgram entry;
  entry.tasks = {collective(0, 64, 16, 16),
                 TransferTask{TransferTask::Kind::kStartSend},
                 TransferTask{TransferTask::Kind::kFinishSend}};
  entry.firstUpdate = 3;
  plan::Loop loop = {1, 3, /*numMicroBatches=*/4, {}};
  loop.blocks = {{"start", 1, 2, 4}, {"finish", 2, 3, 4}};
  loop.order = std::move(order);
  entry.loops = {loop};
  plan::Program program;
  program.ranks = {0};
  program.entries = {entry};
  plan.programs = {program};
  return plan;
}

TEST(StagingLayout, ATransferHasASlotForEachRunUnderWay) {
  const plan::Plan inTurn = sendingPlan(
      {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}});
  const StagingLayout one(inTurn, 0, 0);
  EXPECT_EQ(one.slotsOf(0, TransferEnd::kSend).numSlots, 1);
  EXPECT_EQ(one.slotsOf(0, TransferEnd::kSend).first, 128)
      << "behind the collective";
  EXPECT_EQ(one.slotsOf(0, TransferEnd::kReceive).numSlots, 0);
  EXPECT_EQ(one.bytes(), 128 + 64);

  const plan::Plan ahead = sendingPlan(
      {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {0, 3}, {1, 1}, {1, 2}, {1, 3}});
  const StagingLayout three(ahead, 0, 0);
  EXPECT_EQ(three.slotsOf(0, TransferEnd::kSend).numSlots, 3);
  EXPECT_EQ(three.bytes(), 128 + 3 * 64);
}

}  // namespace
}  // namespace sbp::communication
