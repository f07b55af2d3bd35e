// Patterns as tables: they can be run, with the pattern's period and memory.

#include "passes/search/allocation/PatternTable.h"

#include <algorithm>
#include <random>

#include "gtest/gtest.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/Slots.h"
#include "passes/search/allocation/SchedulePattern.h"
#include "passes/search/allocation/testing/Enumerate.h"
#include "runtime/status/Status.h"

namespace sbp::search {
namespace {

using schedule::Table;

/// Returns the time of a step in a full pipeline.
double steadyStep(const PatternTable& made) {
  schedule::Durations durations;
  for (size_t stage = 0; stage < made.forward.size(); ++stage) {
    schedule::StageTimes times;
    times.forward = made.forward[stage];
    times.backward = made.backward[stage];
    durations.stages.push_back(times);
  }
  auto makespan = [&](int64_t numSteps) {
    const Table all = schedule::unrolled(made.table, numSteps);
    return schedule::simulate(schedule::Dependencies(all), durations).makespan;
  };
  constexpr int64_t kSteps = 60;
  return (makespan(2 * kSteps) - makespan(kSteps)) / kSteps;
}

/// Calls `visit` with the best pattern of allocations of random chains.
template <typename Visit>
void forPatterns(Visit visit) {
  std::mt19937 random(6);
  for (int i = 0; i < 100; ++i) {
    const ChainProblem problem = randomChainProblem(5, random);
    const StageCosts costs(problem);
    forEachAllocation(problem.chain.numLayers(), problem.processors,
                      [&](const Allocation& allocation) {
                        const ScheduledAllocation found =
                            schedulePattern(costs, allocation, 1e9, 100'000);
                        if (found.pattern) visit(costs, *found.pattern);
                      });
  }
}

TEST(PatternTableTest, RunsWithThePeriodIfLinksAreWorkers) {
  int64_t number = 0;
  forPatterns([&](const StageCosts& costs, const Pattern& pattern) {
    const PatternTable made =
        tableOfPattern(costs, pattern, TableWorkers::kProcessorsAndLinks);
    const absl::Status found = schedule::check(made.table);
    ASSERT_TRUE(found.ok()) << textOf(found) << schedule::csvOf(made.table);
    EXPECT_NEAR(steadyStep(made), pattern.period, 1e-6 * pattern.period);
    ++number;
  });
  EXPECT_GT(number, 100);
}

TEST(PatternTableTest, HoldsWhatThePatternHolds) {
  forPatterns([&](const StageCosts& costs, const Pattern& pattern) {
    const PatternTable made =
        tableOfPattern(costs, pattern, TableWorkers::kProcessors);
    const absl::Status found = schedule::check(made.table);
    ASSERT_TRUE(found.ok()) << textOf(found) << schedule::csvOf(made.table);
    EXPECT_LE(steadyStep(made), pattern.period * (1 + 1e-6));
    const absl::StatusOr<Table> read =
        schedule::readCsv(schedule::csvOf(made.table));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, made.table);

    // A worker with one stage needs its slots.
    const PatternCost cost = *costs.problem().verify(pattern);
    for (const auto& slots : schedule::slotsOf(made.table)) {
      if (slots.size() != 1) continue;
      const auto& [begin, end, processor] = pattern.allocation[slots[0].stage];
      EXPECT_NEAR(
          cost.bytes[processor],
          costs.fixedBytes(begin, end) +
              static_cast<double>(slots[0].inFlight) * costs.stash(begin, end),
          1e-6);
    }
  });
}

TEST(PatternTableTest, AStepWithAFlushHoldsNoMoreThanThePattern) {
  forPatterns([&](const StageCosts& costs, const Pattern& pattern) {
    const Table periodic =
        tableOfPattern(costs, pattern, TableWorkers::kProcessors).table;
    const Table flushed = flushedTable(periodic, 5);
    ASSERT_TRUE(schedule::check(flushed).ok());
    EXPECT_EQ(flushed.numMicroBatches, 5);
    EXPECT_EQ(schedule::numOverlappedSteps(flushed), 0);
    const auto most = schedule::peaksOf(periodic);
    const auto peaks = schedule::peaksOf(flushed);
    ASSERT_EQ(peaks.size(), most.size());
    for (size_t worker = 0; worker < peaks.size(); ++worker)
      EXPECT_LE(peaks[worker].inFlight, most[worker].inFlight);
  });
}

}  // namespace
}  // namespace sbp::search
