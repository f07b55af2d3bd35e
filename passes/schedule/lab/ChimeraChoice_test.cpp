// Chimera's model and its choice of a configuration.

#include "passes/schedule/lab/ChimeraChoice.h"

#include "gtest/gtest.h"
#include "passes/schedule/families/Family.h"
#include "passes/schedule/lab/ChimeraModel.h"
#include "runtime/status/Status.h"

namespace sbp::schedule::lab {
namespace {

ChimeraModel modelOf(int64_t depth, int64_t microBatches,
                     const StageTimes& times, double latency = 0) {
  Shape shape;
  shape.depth = depth;
  shape.microBatches = microBatches;
  Durations durations;
  durations.stages.assign(depth, times);
  durations.latency = latency;
  return chimeraModelOf(*tableOf("chimera", shape), durations);
}

TEST(ChimeraModel, CountsTheCriticalPathOfAUnit) {
  for (int64_t depth : {2, 4, 6, 8, 12}) {
    const ChimeraModel model = modelOf(depth, depth, {});
    EXPECT_EQ(model.forwards, depth);
    EXPECT_EQ(model.backwards, 2 * depth - 2);
    EXPECT_EQ(model.makespan, 5 * depth - 4);
  }
}

TEST(ChimeraModel, PaysForMessagesOnTheCriticalPath) {
  EXPECT_EQ(modelOf(6, 6, {}, 0.5).makespan, 26 + 16 * 0.5);
}

TEST(ChimeraModel, HidesReductionsWhereWorkersAreIdle) {
  StageTimes times;
  times.reduce = 1;
  // Worker 0 ends last, with a backward of stage 0; it sums stage 3 before.
  EXPECT_EQ(modelOf(4, 4, times).unoverlapped, 1);
  times.reduce = 0;
  EXPECT_EQ(modelOf(4, 4, times).unoverlapped, 0);
}

TEST(ChimeraModel, HasRabenseifnersTerms) {
  EXPECT_EQ(allReduceTime(8, 1000, 3, 0.5), 2 * 3 * 3 + 2 * 7 / 8.0 * 500);
  EXPECT_EQ(allReduceTime(1, 1000, 3, 0.5), 0);
}

TEST(ChimeraChoice, TakesTheLargestMicroBatchThatFits) {
  ChimeraSettings settings;
  const auto all = chimeraConfigurations(settings);
  ASSERT_TRUE(all.ok()) << textOf(all.status());
  EXPECT_GE(all->size(), 3u);
  for (const ChimeraConfiguration& each : *all) {
    EXPECT_EQ(each.depth * each.pipelines, settings.devices);
    EXPECT_EQ(each.microBatch * each.microBatches * each.pipelines,
              settings.batch);
    EXPECT_LE(each.bytes, settings.memoryBytes);
    // Twice as much memory fits no smaller micro-batch.
    ChimeraSettings larger = settings;
    larger.memoryBytes *= 2;
    const auto found = chimeraConfigurations(larger);
    for (const ChimeraConfiguration& other : *found)
      if (other.depth == each.depth)
        EXPECT_GE(other.microBatch, each.microBatch);
  }
}

TEST(ChimeraChoice, SaysIfNothingFits) {
  ChimeraSettings settings;
  settings.memoryBytes = 1e6;
  EXPECT_NE(textOf(chimeraConfigurations(settings).status())
                .find("32 devices and 48 layers fits into 1e+06 bytes"),
            std::string::npos);
}

}  // namespace
}  // namespace sbp::schedule::lab
