// Start times of tasks, against ones worked out by hand.

#include "passes/schedule/Simulate.h"

#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/schedule/Bounds.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Picture.h"

namespace sbp::schedule {
namespace {

using ::testing::ElementsAre;

/// A table and its simulated run.
struct Simulated {
  explicit Simulated(std::string_view text, const StageTimes& times = {},
                     double latency = 0, double transfer = 0)
      : table(*readCsv(text)), dependencies(table) {
    EXPECT_TRUE(check(table).ok()) << check(table);
    durations.stages.assign(table.numStages, times);
    durations.latency = latency;
    durations.transfer = transfer;
    run = simulate(dependencies, durations);
  }

  Table table;
  Dependencies dependencies;
  Durations durations;
  Simulation run;
};

TEST(Simulation, WaitsForWorkersAndForWhatIsNeeded) {
  const Simulated one("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1");
  EXPECT_THAT(one.run.starts, ElementsAre(0, 1, 4, 7, 1, 2, 4, 5));
  EXPECT_EQ(one.run.makespan, 9);
  EXPECT_THAT(one.run.busy, ElementsAre(6, 6));
  EXPECT_DOUBLE_EQ(one.run.bubble(), 1 - 12.0 / 18);
  EXPECT_THAT(one.run.criticalPath, ElementsAre(0, 4, 5, 6, 7, 3));
}

TEST(Simulation, ChargesLatencyBetweenWorkersOnly) {
  EXPECT_EQ(Simulated("0F0,0B0\n1F0,1B0", {}, 0.5).run.makespan, 7);
  EXPECT_EQ(Simulated("0F0,1F0,1B0,0B0", {}, 0.5).run.makespan, 6);
}

TEST(Simulation, SendsOneMessageAfterTheOtherOverALink) {
  // Both forwards have been sent by 2; the second message waits for the first.
  const Simulated one("0F0,0F1,0B0,0B1\n1F0,1F1,1B0,1B1", {}, 0.5, 3);
  EXPECT_THAT(one.run.starts, ElementsAre(0, 1, 14, 17, 4.5, 7.5, 8.5, 10.5));
}

TEST(Simulation, TakesRunsAndPartsByTheirShare) {
  EXPECT_THAT(Simulated("0F0-1,0B0,0B1").run.ends, ElementsAre(2, 4, 6));
  EXPECT_THAT(Simulated("0F0,0B0.0,0B0.1").run.ends, ElementsAre(1, 2, 3));
}

TEST(Simulation, UpdatesAfterTheGradientsOfAllWorkers) {
  StageTimes times;
  times.reduce = 5;
  times.update = 1;
  // Stage 0 is on both workers; each sums its gradients when it has all of its
  // own.
  const Simulated one("0F0,0B0,0G,0U\n0F1,0F2,0B1,0B2,0G,0U", times);
  EXPECT_THAT(one.run.starts, ElementsAre(0, 1, 3, 11, 0, 1, 2, 4, 6, 11));
  // Without a task for the sum, the update waits for the gradients alone.
  const Simulated two("0F0,0B0,0U\n0F1,0F2,0B1,0B2,0U", times);
  EXPECT_THAT(two.run.starts, ElementsAre(0, 1, 6, 0, 1, 2, 4, 6));
}

TEST(Simulation, RecomputesBeforeTheGradientArrives) {
  // Stage 0 recomputes while stage 1 is at work.
  EXPECT_THAT(Simulated("0F0,0R0,0B0\n1F0,1R0,1B0").run.starts,
              ElementsAre(0, 1, 5, 1, 2, 3));
}

TEST(Bounds, AreOfTheLongestChainAndOfTheBusiestWorker) {
  const Simulated one("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1", {}, 0.5);
  const Bounds bounds = boundsOf(one.dependencies, one.durations);
  EXPECT_EQ(bounds.chain, 7);
  EXPECT_EQ(bounds.worker, 10);  // worker 1: 1.5 before, 6 at work, 2.5 after
  EXPECT_EQ(bounds.best(), 10);
}

TEST(Picture, HasAColumnPerUnit) {
  const Simulated one("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1");
  EXPECT_EQ(*pictureOf(one.dependencies, one.run),
            "worker 0 | F0 F1 .  .  B0 B0 .  B1 B1\n"
            "worker 1 | .  F0 B0 B0 F1 B1 B1 .  .\n");
  // The unit is as long as it can be.
  StageTimes slow;
  slow.forward = 500;
  slow.backward = 1000;
  const Simulated two("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1", slow);
  EXPECT_EQ(*pictureOf(two.dependencies, two.run),
            *pictureOf(one.dependencies, one.run));
}

TEST(Picture, NamesStagesWhereAWorkerHasSeveral) {
  const Simulated one("0F0,1F0,1B0,0B0");
  EXPECT_EQ(*pictureOf(one.dependencies, one.run),
            "worker 0 | 0F0 1F0 1B0 1B0 0B0 0B0\n");
}

TEST(Picture, IsNotDrawnOfWhatHasNoUnit) {
  StageTimes odd;
  odd.forward = 0.1;
  odd.backward = 0.2718281828;
  const Simulated one("0F0,0B0", odd);
  EXPECT_FALSE(pictureOf(one.dependencies, one.run).has_value());
  const Simulated nothing("0F0,0B0", {0, 0, 0, 0, 0});
  EXPECT_FALSE(pictureOf(nothing.dependencies, nothing.run).has_value());
}

}  // namespace
}  // namespace sbp::schedule
