// Tests that list scheduling is valid for any workers of stages, holds no more
// micro-batches than allowed, and is 1F1B if each worker has one stage.

#include <algorithm>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/Slots.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule {
namespace {

Shape shapeOf(int64_t depth, int64_t microBatches,
              std::vector<int64_t> workerOfStage = {}) {
  Shape shape;
  shape.depth = depth;
  shape.microBatches = microBatches;
  shape.workerOfStage = std::move(workerOfStage);
  return shape;
}

Table listOf(const Shape& shape) {
  const absl::StatusOr<Table> table = tableOf("list", shape);
  EXPECT_TRUE(table.ok()) << table.status();
  EXPECT_TRUE(check(*table).ok()) << check(*table);
  return *table;
}

double makespanOf(const Table& table) {
  Durations durations;
  durations.stages.resize(table.numStages);
  return simulate(Dependencies(table), durations).makespan;
}

/// Returns the workers of random stages: each of `depth` workers at least once.
std::vector<int64_t> randomWorkers(int64_t depth, std::mt19937& random) {
  auto below = [&](int64_t end) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(end));
  };
  std::vector<int64_t> workers;
  for (int64_t worker = 0; worker < depth; ++worker) workers.push_back(worker);
  for (int64_t more = below(6); more > 0; --more)
    workers.push_back(below(depth));
  std::shuffle(workers.begin(), workers.end(), random);
  return workers;
}

TEST(List, IsOneForwardOneBackwardWithAStageEach) {
  for (int64_t depth = 1; depth <= 7; ++depth)
    for (int64_t microBatches = 1; microBatches <= 16; ++microBatches) {
      const Table table = listOf(shapeOf(depth, microBatches));
      EXPECT_EQ(table, *tableOf("1f1b", shapeOf(depth, microBatches)))
          << csvOf(table);
      EXPECT_EQ(makespanOf(table), 3 * (microBatches + depth - 1));
    }
}

TEST(List, CanBeRunOnAnyWorkersAndHoldsNoMoreThanStagesAreLeft) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const int64_t depth = 1 + trial % 6;
    const auto microBatches = static_cast<int64_t>(1 + random() % 12);
    const std::vector<int64_t> workers = randomWorkers(depth, random);
    const Table table = listOf(shapeOf(depth, microBatches, workers));
    const auto slots = slotsOf(table);
    int64_t numSeen = 0;
    for (int64_t worker = 0; worker < depth; ++worker)
      for (const StageSlots& each : slots[worker]) {
        ++numSeen;
        EXPECT_EQ(workers[each.stage], worker);
        EXPECT_LE(each.inFlight, table.numStages - each.stage) << csvOf(table);
      }
    EXPECT_EQ(numSeen, table.numStages);
  }
}

TEST(List, GoesBackAsSoonAsAWorkerCan) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const int64_t depth = 1 + trial % 5;
    const Table table = listOf(shapeOf(depth, 6, randomWorkers(depth, random)));
    const Dependencies dependencies(table);
    Durations durations;
    durations.stages.resize(table.numStages);
    const Simulation run = simulate(dependencies, durations);
    for (int64_t worker = 0; worker < depth; ++worker)
      for (int64_t back = dependencies.firstOf(worker);
           back < dependencies.firstOf(worker + 1); ++back) {
        if (dependencies.task(back).kind != Kind::Backward) continue;
        double ready = 0;
        for (int64_t before : dependencies.before(back))
          ready = std::max(ready, run.ends[before]);
        // Tasks that start on the worker meanwhile are backwards as well.
        for (int64_t other = dependencies.firstOf(worker); other < back;
             ++other)
          if (dependencies.task(other).kind == Kind::Forward)
            EXPECT_LT(run.starts[other], ready) << csvOf(table);
        // The task waits only for its operands and for the previous task.
        const int64_t last = dependencies.previous(back);
        EXPECT_EQ(run.starts[back],
                  std::max(ready, last < 0 ? 0 : run.ends[last]));
      }
  }
}

TEST(List, RefusesAWorkerThatThereIsNot) {
  EXPECT_EQ(tableOf("list", shapeOf(2, 4, {0, 2})).status().message(),
            "stage 1 is on worker 2, but there are 2 workers");
}

}  // namespace
}  // namespace sbp::schedule
