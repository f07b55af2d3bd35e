// Tests of the checks of transfers in a plan.

#include <functional>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/plan/Check.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {
namespace {

using ::testing::HasSubstr;

/// Makes a plan for two groups of one rank each; the first sends to the second
/// for three micro-batches.
Plan sendingPlan() {
  using Kind = TransferTask::Kind;
  Plan plan;
  plan.model = "sending";
  plan.groups = {Group{{"gpu", 2}}, Group{{"gpu", 1}}, Group{{"gpu", 1}}};
  plan.groups[1].ranks = {0};
  plan.groups[2].ranks = {1};
  Transfer transfer;
  for (Tensor* end : {&transfer.source, &transfer.target}) {
    end->name = "y";
    end->shape = {5};
    end->placement.resize(1);
  }
  transfer.source.group = 1;
  transfer.target.group = 2;
  transfer.times = 3;
  plan.entries.emplace_back();
  plan.entries[0].name = "forward";
  plan.entries[0].transfers = {transfer};
  const auto programOf = [](int64_t rank, Kind start, Kind finish) {
    EntryProgram entry;
    entry.arenaBytes = 64;
    entry.tasks = {TransferTask{start}, TransferTask{finish}};
    entry.firstUpdate = 2;
    entry.calls.emplace_back();
    entry.loops = {{0, 2, /*numMicroBatches=*/3, {}}};
    Program program;
    program.ranks = {rank};
    program.entries = {entry};
    return program;
  };
  plan.programs = {programOf(0, Kind::kStartSend, Kind::kFinishSend),
                   programOf(1, Kind::kStartReceive, Kind::kFinishReceive)};
  return plan;
}

TEST(Transfers, EndsOfTransfersAreStartedBeforeTheyAreFinished) {
  const std::pair<const char*, std::function<void(EntryProgram&)>>
      contradictions[] = {
          {"start_send on rank 0: finished by task 0, started by task 1",
           [](EntryProgram& p) { std::swap(p.tasks[0], p.tasks[1]); }},
          {"start_send on rank 0: under way, from task 0 to 1, at the first "
           "update",
           [](EntryProgram& p) {
             p.loops = {{0, 1, 3, {}}, {1, 2, 3, {}}};
             p.firstUpdate = 1;
           }},
          {"start_send on rank 0: finished by task 1, started by task 0, for "
           "micro-batch 1",
           [](EntryProgram& p) {
             p.loops[0].blocks = {{"start", 0, 1, 3}, {"finish", 1, 2, 3}};
             p.loops[0].order = {{0, 0}, {1, 0}, {1, 1},
                                 {0, 1}, {0, 2}, {1, 2}};
           }},
          {"start_send on rank 0: for micro-batch 0 started, but not finished",
           [](EntryProgram& p) {
             p.loops[0].numMicroBatches = 4;
             p.loops[0].blocks = {{"start", 0, 1, 3}, {"finish", 1, 2, 3}};
             p.loops[0].order = {{0, 0}, {0, 1}, {1, 1},
                                 {0, 2}, {1, 2}, {1, 3}};
           }},
          {"start_send on rank 0: 2 tasks, not one",
           [](EntryProgram& p) {
             p.tasks.push_back(p.tasks[0]);
             p.tasks.push_back(p.tasks[1]);
             p.firstUpdate = 4;
             p.loops[0].numMicroBatches = 2;
           }},
      };
  EXPECT_TRUE(check(sendingPlan()).ok()) << check(sendingPlan());
  Plan turned = sendingPlan();  // the blocks stand in another order
  EntryProgram& sender = turned.programs[0].entries[0];
  std::swap(sender.tasks[0], sender.tasks[1]);
  sender.loops[0].blocks = {{"finish", 0, 1, 3}, {"start", 1, 2, 3}};
  sender.loops[0].order = {{1, 0}, {0, 0}, {1, 1}, {0, 1}, {1, 2}, {0, 2}};
  EXPECT_TRUE(check(turned).ok()) << check(turned);
  for (const auto& [message, introduce] : contradictions) {
    Plan plan = sendingPlan();
    introduce(plan.programs[0].entries[0]);
    EXPECT_THAT(std::string(check(plan).message()), HasSubstr(message));
  }
}

}  // namespace
}  // namespace sbp::plan
