// Tables without a flush: the age of the weights, periods, and the time of a
// step in the full pipeline.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/Delays.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Period.h"
#include "passes/schedule/Repetition.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/families/Family.h"
#include "passes/schedule/testing/RandomTable.h"

namespace sbp::schedule {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Table tableOf(const std::string& csv) {
  auto table = readCsv(csv);
  EXPECT_TRUE(table.ok()) << table.status();
  return *table;
}

Table ofFamily(const std::string& name, int64_t depth, int64_t microBatches) {
  Shape shape;
  shape.depth = depth;
  shape.microBatches = microBatches;
  auto table = tableOf(name, shape);
  EXPECT_TRUE(table.ok()) << table.status();
  return *table;
}

/// Returns the cells of a worker's period, with their step offsets.
std::string periodOf(const Table& table, size_t worker) {
  const auto periods = periodsOf(table, *delaysOf(table));
  if (!periods.ok()) return std::string(periods.status().message());
  std::vector<std::string> cells;
  for (const PeriodTask& own : (*periods)[worker])
    cells.push_back(
        cellOf(table, own.task) +
        (own.stepOffset > 0 ? fmt::format("(+{})", own.stepOffset) : ""));
  return fmt::format("{}", fmt::join(cells, " "));
}

/// Returns a table of up to four stages, each on a random worker; every worker
/// has a stage.
Table randomAsynchronous(std::mt19937_64& random) {
  const auto below = [&](int64_t end) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(end));
  };
  const int64_t numStages = 1 + below(4);
  const int64_t numWorkers = 1 + below(numStages);
  std::vector<int64_t> workers;
  for (int64_t stage = 0; stage < numStages; ++stage)
    workers.push_back(stage < numWorkers ? stage : below(numWorkers));
  return randomAsynchronousTable(workers, 1 + below(4), below);
}

TEST(Delays, OfPipeDreamGrowTowardsTheFirstStage) {
  EXPECT_THAT(*delaysOf(ofFamily("pipedream", 4, 1)), ElementsAre(3, 2, 1, 0));
}

TEST(Delays, OfPipeDream2bwAreOneUpdateEverywhere) {
  EXPECT_THAT(*delaysOf(ofFamily("pipedream-2bw", 3, 5)), ElementsAre(1, 1, 1));
}

TEST(Delays, OfAStepWithAFlushAreNone) {
  EXPECT_THAT(*delaysOf(ofFamily("1f1b", 3, 5)), ElementsAre(0, 0, 0));
}

TEST(Delays, AreOneForAllMicroBatchesOfAStep) {
  const auto delays =
      delaysOf(tableOf("0F0,0B1<1,0U<1,0F1,0B0\n1F0,1B0,1F1,1B1,1U\n"));
  EXPECT_THAT(
      std::string(delays.status().message()),
      HasSubstr("micro-batch 0 those 1 steps old, micro-batch 1 those 0 "
                "steps old; all of a step are to read the same, as with "
                "0U+1"));
}

TEST(Periods, EndWithTheUpdate) {
  const Table table = ofFamily("pipedream-2bw", 2, 3);
  EXPECT_EQ(periodOf(table, 0), "0F1 0B0 0F2 0B1 0F0(+1) 0B2 0U+1");
  EXPECT_EQ(periodOf(table, 1), "1F0 1B0 1F1 1B1 1F2 1B2 1U+1");
}

TEST(Periods, HaveForwardsAheadOfUpdatesOnly) {
  EXPECT_THAT(
      periodOf(tableOf("0F0,1F0,1B0,1U,0B0<1,0U<1\n"), 0),
      HasSubstr("has the forward of stage 1, micro-batch 0 a step before the "
                "last update of its worker's step"));
}

TEST(RandomAsynchronousTables, CanBeRun) {
  std::mt19937_64 random(1);
  int64_t numAsynchronous = 0;
  for (int i = 0; i < 1000; ++i) {
    const Table table = randomAsynchronous(random);
    SCOPED_TRACE(csvOf(table));
    ASSERT_TRUE(check(table).ok()) << check(table);
    const auto delays = delaysOf(table);
    ASSERT_TRUE(delays.ok()) << delays.status();
    ASSERT_TRUE(periodsOf(table, *delays).ok());
    for (int64_t delay : *delays) EXPECT_EQ(delay, table.delay);
    numAsynchronous += isAsynchronous(table);
  }
  EXPECT_GT(numAsynchronous, 500);
}

/// Returns the average time from step to step over many steps, each of which
/// runs as early as possible.
double simulatedPeriod(const Table& table, const Durations& durations) {
  const auto makespanOf = [&](int64_t numSteps) {
    const Table all = unrolled(table, numSteps);
    const Dependencies dependencies(all);
    return simulate(dependencies, durations).makespan;
  };
  constexpr int64_t kSteps = 60;
  return (makespanOf(3 * kSteps) - makespanOf(kSteps)) / (2 * kSteps);
}

TEST(Repetitions, AreAsFastAsManyStepsOneBehindTheOther) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 150; ++i) {
    const Table table = randomAsynchronous(random);
    SCOPED_TRACE(csvOf(table));
    Durations durations;
    const auto draw = [&] { return 1 + static_cast<double>(random() % 5); };
    for (int64_t stage = 0; stage < table.numStages; ++stage)
      durations.stages.push_back(
          {draw(), draw(), draw(), draw(), draw(), draw(), draw()});
    durations.latency = static_cast<double>(random() % 3);
    const Dependencies dependencies(table);
    const Repetition repetition = fastestRepetition(dependencies, durations);
    EXPECT_NEAR(repetition.period, simulatedPeriod(table, durations),
                0.01 * repetition.period);
  }
}

TEST(Repetitions, OfPipeDreamLeaveNoWorkerIdle) {
  const Table table = ofFamily("pipedream-2bw", 4, 8);
  Durations durations;
  durations.stages.resize(4);
  for (StageTimes& times : durations.stages) times.update = 1e-6;
  const Repetition repetition =
      fastestRepetition(Dependencies(table), durations);
  EXPECT_NEAR(repetition.period, 8 * (1 + 2), 1e-2);
}

}  // namespace
}  // namespace sbp::schedule
