#include "passes/schedule/order/SynthesiseOrder.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/Recomputation.h"
#include "passes/schedule/families/Family.h"
#include "passes/schedule/order/OrderBounds.h"
#include "passes/schedule/order/testing/EnumerateOrders.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

OrderProblem problemOf(Table table, double room) {
  OrderProblem problem;
  problem.durations.stages.assign(table.numStages, {});
  problem.memory.assign(table.numStages, {});
  problem.room.assign(table.numWorkers(), room);
  problem.table = std::move(table);
  return problem;
}

Table familyTable(const char* family, int64_t depth, int64_t microBatches,
                  std::vector<int64_t> workerOfStage = {}) {
  Shape shape;
  shape.depth = depth;
  shape.microBatches = microBatches;
  shape.workerOfStage = std::move(workerOfStage);
  absl::StatusOr<Table> table = tableOf(family, shape);
  EXPECT_TRUE(table.ok()) << textOf(table.status());
  return *table;
}

/// Returns the makespan that is proven to be the least.
double provenMakespan(const OrderProblem& problem) {
  EXPECT_TRUE(problem.check().ok()) << textOf(problem.check());
  const SynthesisedOrder found = synthesiseOrder(problem);
  EXPECT_TRUE(found.isProven());
  EXPECT_TRUE(problem.verify(*found.order).ok());
  return found.cost.makespan;
}

/// F = 1, B = 2 for all stages; pipes in opposite directions, each with half of
/// the micro-batches.
double bidirectional(int64_t depth, int64_t microBatches, double room) {
  return provenMakespan(
      problemOf(familyTable("chimera", depth, microBatches), room));
}

TEST(SynthesiseOrder, ChimeraIsOptimalForAUnit) {
  EXPECT_EQ(bidirectional(4, 4, 4), 16);
  EXPECT_EQ(bidirectional(6, 6, 6), 26);
  EXPECT_EQ(bidirectional(8, 8, 8), 36);
  EXPECT_EQ(bidirectional(4, 2, 4), 12);
  EXPECT_EQ(bidirectional(8, 4, 8), 28);
}

TEST(SynthesiseOrder, UnitsOfChimeraNeedNoBubbleBetweenThem) {
  EXPECT_EQ(bidirectional(4, 8, 4), 28);  // Chimera's units take 30
  EXPECT_EQ(bidirectional(4, 8, 5), 27);
  EXPECT_EQ(bidirectional(4, 12, 4), 40);
  EXPECT_EQ(bidirectional(4, 6, 4), 22);
}

TEST(SynthesiseOrder, LessMemoryTakesMoreTime) {
  EXPECT_EQ(bidirectional(4, 4, 3), 18);
  EXPECT_EQ(bidirectional(4, 4, 2), 21);
  EXPECT_EQ(bidirectional(4, 8, 3), 32);
}

TEST(SynthesiseOrder, OneForwardOneBackwardIsOptimalForOnePipe) {
  EXPECT_EQ(provenMakespan(problemOf(familyTable("1f1b", 4, 6), 4)), 27);
  EXPECT_EQ(provenMakespan(problemOf(familyTable("gpipe", 4, 6), 6)), 27);
}

TEST(SynthesiseOrder, ATableOfTheProblemThatFitsIsNeverMadeWorse) {
  SynthesisTuning none;
  none.annealing.evaluations = 0;
  none.maxStates = 0;
  for (const char* family : {"chimera", "gems", "1f1b", "zb-h1", "dualpipe"}) {
    const OrderProblem problem = problemOf(familyTable(family, 4, 8), 9);
    const double before = problem.verify(problem.table)->makespan;
    EXPECT_LE(synthesiseOrder(problem, none).cost.makespan, before) << family;
  }
}

TEST(SynthesiseOrder, HalvesOfBackwardsFillBubbles) {
  OrderProblem problem = problemOf(familyTable("zb-h1", 2, 4), 3);
  problem.memory.assign(2, {1, 0.5});
  EXPECT_LE(provenMakespan(problem), problem.verify(problem.table)->makespan);
}

TEST(SynthesiseOrder, EqualSeedsFindEqualOrders) {
  const OrderProblem problem = problemOf(familyTable("chimera", 6, 18), 7);
  SynthesisTuning tuning;
  tuning.annealing.evaluations = 2000;
  tuning.maxStates = 2000;
  const SynthesisedOrder a = synthesiseOrder(problem, tuning),
                         b = synthesiseOrder(problem, tuning);
  EXPECT_TRUE(*a.order == *b.order);
  EXPECT_EQ(a.bound, b.bound);
  EXPECT_LT(a.cost.makespan, problem.verify(problem.table)->makespan);
}

// ---- Random problems ----

/// Draws small tables of all placements, times and memories.
class RandomProblems {
 public:
  explicit RandomProblems(uint64_t seed) : engine_(seed) {}

  OrderProblem next(bool isWhole) {
    const std::vector<Table> tables = {
        familyTable("list", 2, 3),
        familyTable("list", 3, 2),
        familyTable("chimera", 2, 3),
        familyTable("chimera", 4, 2),
        familyTable("list", 2, 2, {0, 1, 1, 0}),
        familyTable("interleaved", 2, 2),
        familyTable("zb-h1", 2, 2),
        *readCsv("0F0-1,0B0,0B1\n1F0-1,1B0,1B1\n"),
        *readCsv("0F0.0,0F0.1,0B0.0,0B0.1\n1F0.0,1F0.1,1B0.0,1B0.1\n"),
        *readCsv("0F0,0F1,0B0,0B1,0U\n1F0,1B0,1F1,1B1,1U\n"),
    };
    OrderProblem problem = problemOf(tables[below(tables.size())], 0);
    auto time = [&] {
      const auto whole = static_cast<double>(1 + below(4));
      return isWhole ? whole : whole * 0.37 + 0.1;
    };
    for (StageTimes& times : problem.durations.stages)
      times = {time(), time(), time(), time(), 0, 0, time()};
    if (!isWhole) problem.durations.latency = below(3) * 0.25;
    for (StageMemory& memory : problem.memory)
      memory = {1.0 + below(2), 0.5 * below(3)};
    const auto fits = [&] { return problem.check().ok(); };
    for (double& room : problem.room) room = 1.0 + below(6);
    while (!fits())
      for (double& room : problem.room) room += 1;
    return problem;
  }

  int64_t below(size_t end) { return static_cast<int64_t>(engine_() % end); }

 private:
  std::mt19937_64 engine_;
};

TEST(SynthesiseOrder, ExactSearchesFindWhatEnumerationFinds) {
  RandomProblems random(1);
  for (int i = 0; i < 400; ++i) {
    const OrderProblem problem = random.next(true);
    const double least = leastMakespan(problem);
    SynthesisTuning tuning;
    tuning.annealing.evaluations = i % 2 == 0 ? 0 : 200;
    const SynthesisedOrder found = synthesiseOrder(problem, tuning);
    ASSERT_TRUE(std::isfinite(least) == found.order.has_value())
        << csvOf(problem.table);
    if (!found.order) continue;
    ASSERT_EQ(found.cost.makespan, least) << csvOf(problem.table);
    ASSERT_EQ(found.bound, least) << csvOf(problem.table);
    ASSERT_LE(orderBoundsOf(TaskGraph(problem)).best(), least)
        << csvOf(problem.table);
  }
}

TEST(SynthesiseOrder, BoundsAreNeverAboveWhatEnumerationFinds) {
  RandomProblems random(2);
  int numFound = 0;
  for (int i = 0; i < 400; ++i) {
    const OrderProblem problem = random.next(false);
    const double least = leastMakespan(problem);
    SynthesisTuning tuning;
    tuning.annealing.evaluations = 2000;
    const SynthesisedOrder found = synthesiseOrder(problem, tuning);
    ASSERT_LE(found.bound, least * (1 + 1e-12)) << csvOf(problem.table);
    if (!found.order) continue;
    ASSERT_GE(found.cost.makespan, least * (1 - 1e-12));
    numFound += found.cost.makespan <= least * (1 + 1e-12) ? 1 : 0;
  }
  EXPECT_GE(numFound, 360);  // by annealing alone
}

// ---- Mistakes ----

void expectError(const absl::Status& status, const std::string& part) {
  EXPECT_NE(textOf(status).find(part), std::string::npos) << textOf(status);
}

TEST(OrderProblem, NamesWhatIsNotSound) {
  OrderProblem problem = problemOf(familyTable("1f1b", 2, 2), 0);
  expectError(problem.check(), "worker 0 has room for 0, but a single");
  problem = problemOf(withRecomputation(familyTable("1f1b", 2, 2)), 2);
  expectError(problem.check(), "0R0 is a recomputation");
  problem = problemOf(familyTable("pipedream", 2, 2), 2);
  expectError(problem.check(), "tasks of earlier steps");
  problem = problemOf(familyTable("1f1b", 2, 2), 2);
  problem.room.pop_back();
  expectError(problem.check(), "2 workers, but 1 have room");
}

TEST(OrderProblem, RefusesOrdersThatAreNotOrdersOfItsTasks) {
  const OrderProblem problem = problemOf(familyTable("1f1b", 2, 2), 1);
  expectError(problem.verify(familyTable("gpipe", 2, 2)).status(),
              "worker 0 keeps 2 at once, and has room for 1");
  expectError(problem.verify(familyTable("gpipe", 2, 3)).status(),
              "worker 0 has other tasks");
  expectError(problem.verify(familyTable("gpipe", 3, 2)).status(),
              "3 workers, the problem 2");
}

}  // namespace
}  // namespace sbp::schedule
