#include "passes/stages/PipelineOrder.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Slots.h"
#include "passes/schedule/families/Family.h"
#include "runtime/plan/LoopRuns.h"

namespace sbp {
namespace {

using schedule::Kind;

schedule::Table tableOf(const std::string& family, int64_t depth,
                        int64_t microBatches) {
  schedule::Shape shape;
  shape.depth = depth;
  shape.microBatches = microBatches;
  auto table = schedule::tableOf(family, shape);
  EXPECT_TRUE(table.ok()) << table.status();
  return *table;
}

/// Returns the position of the last micro-batch of `task` in the sequence.
int64_t positionOf(const PipelineOrder& order, const schedule::Task& task) {
  return *order.positionOf({task.stage, task.kind}, task.end() - 1,
                           /*stepOffset=*/0);
}

class PipelineOrderTest : public testing::TestWithParam<const char*> {};

TEST_P(PipelineOrderTest, EachTaskStandsBehindAllThatItWaitsFor) {
  for (int64_t microBatches : {1, 4, 9}) {
    schedule::Table table = tableOf(GetParam(), 4, microBatches);
    PipelineOrder order(table);
    schedule::Dependencies dependencies(table);
    for (int64_t number = 0; number < dependencies.numTasks(); ++number) {
      int64_t position = positionOf(order, dependencies.task(number));
      if (int64_t previous = dependencies.previous(number); previous >= 0)
        EXPECT_LT(positionOf(order, dependencies.task(previous)), position);
      for (int64_t before : dependencies.before(number))
        EXPECT_LT(positionOf(order, dependencies.task(before)), position);
    }
  }
}

TEST_P(PipelineOrderTest, SlotsAreWhatTheScheduleHasInFlight) {
  schedule::Table table = tableOf(GetParam(), 4, 9);
  PipelineOrder order(table);
  for (const auto& ofWorker : schedule::slotsOf(table))
    for (const schedule::StageSlots& slots : ofWorker) {
      // If the backward is in halves, the tensors that the forward saves are
      // freed by the backward of weights.
      const StageTask whole = {slots.stage, Kind::Backward};
      const SmallVector<StageTask> tasks = {
          {slots.stage, Kind::Forward},
          order.positionOf(whole, 0, /*stepOffset=*/0)
              ? whole
              : StageTask{slots.stage, Kind::Weight}};
      std::vector<plan::Loop::BlockRun> runs;
      PipelineOrder::RankTasks own = {tasks, {0, 1, 2, 3, 4, 5, 6, 7, 8}};
      for (const PipelineOrder::RankTaskRun& run : order.taskRunsOf(own))
        runs.push_back({run.task == tasks[0] ? 0 : 1, run.microBatch});
      EXPECT_EQ(plan::mostSlotsInUse(runs, /*numBlocks=*/2,
                                     /*numMicroBatches=*/9, {0, 1}),
                slots.inFlight);
    }
}

INSTANTIATE_TEST_SUITE_P(Families, PipelineOrderTest,
                         testing::Values("gpipe", "1f1b", "eager-1f1b",
                                         "zb-h1"),
                         [](const auto& family) {
                           std::string name = family.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace sbp
