// Tests families of schedules: their times, the micro-batches that workers
// hold, and the shapes that they refuse.

#include "passes/schedule/families/Family.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Recomputation.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/Slots.h"

namespace sbp::schedule {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Shape shapeOf(int64_t depth, int64_t microBatches) {
  Shape shape;
  shape.depth = depth;
  shape.microBatches = microBatches;
  return shape;
}

Shape chimera(int64_t depth, int64_t microBatches, const std::string& variant,
              int64_t pairs = 1) {
  Shape shape = shapeOf(depth, microBatches);
  shape.variant = variant;
  shape.pairs = pairs;
  return shape;
}

Table checkedTable(const std::string& family, const Shape& shape) {
  const absl::StatusOr<Table> table = tableOf(family, shape);
  EXPECT_TRUE(table.ok()) << family << ": " << table.status();
  EXPECT_TRUE(check(*table).ok()) << family << ": " << check(*table);
  return *table;
}

double makespanOf(const Table& table, double forward, double backward,
                  double latency = 0) {
  StageTimes times;
  times.forward = forward;
  times.backward = backward;
  times.input = times.weight = backward / 2;
  Durations durations;
  durations.stages.assign(table.numStages, times);
  durations.latency = latency;
  return simulate(Dependencies(table), durations).makespan;
}

double makespan(const std::string& family, const Shape& shape,
                double forward = 1, double backward = 2, double latency = 0) {
  return makespanOf(checkedTable(family, shape), forward, backward, latency);
}

/// Returns the largest number of micro-batches in flight, per worker.
std::vector<double> peaksOfTable(const Table& table) {
  std::vector<double> inFlight;
  for (const WorkerPeak& peak : peaksOf(table))
    inFlight.push_back(peak.inFlight);
  return inFlight;
}

std::vector<double> peaks(const std::string& family, const Shape& shape) {
  return peaksOfTable(checkedTable(family, shape));
}

TEST(GPipe, HasTheBubbleOfItsDepth) {
  for (const auto& [depth, microBatches] :
       {std::pair(1, 3), {3, 1}, {4, 4}, {5, 8}, {8, 8}})
    for (const char* family : {"gpipe", "1f1b", "eager-1f1b"})
      for (double backward : {1.0, 2.0, 2.5})
        EXPECT_EQ(makespan(family, shapeOf(depth, microBatches), 1, backward),
                  (microBatches + depth - 1) * (1 + backward))
            << family << " " << depth << " " << microBatches;
  EXPECT_THAT(peaks("gpipe", shapeOf(3, 5)), ElementsAre(5, 5, 5));
}

TEST(OneForwardOneBackward, HoldsFewerTheLaterTheStage) {
  EXPECT_THAT(peaks("1f1b", shapeOf(4, 8)), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(peaks("1f1b", shapeOf(4, 2)), ElementsAre(2, 2, 2, 1));
  EXPECT_THAT(peaks("eager-1f1b", shapeOf(4, 8)), ElementsAre(7, 5, 3, 1));
}

TEST(EagerOneForwardOneBackward, HidesLatency) {
  // Once a stage has begun, it is as busy as without latency. Only the time
  // through all stages and back is longer.
  EXPECT_EQ(makespan("eager-1f1b", shapeOf(8, 32), 1, 2, 0.5),
            3 * (32 + 7) + 2 * 7 * 0.5);
  EXPECT_EQ(makespan("gpipe", shapeOf(8, 32), 1, 2, 0.5),
            3 * (32 + 7) + 2 * 7 * 0.5);
  EXPECT_GT(makespan("1f1b", shapeOf(8, 32), 1, 2, 0.5), 3 * (32 + 7) + 7);
}

TEST(Interleaved, HasBubblesOfChunks) {
  for (const auto& [depth, microBatches, chunks] :
       {std::tuple(4, 8, 2), {8, 16, 2}, {4, 8, 3}, {2, 4, 4}}) {
    Shape shape = shapeOf(depth, microBatches);
    shape.chunks = chunks;
    EXPECT_EQ(makespan("interleaved", shape),
              3 * (microBatches * chunks + depth - 1));
  }
  EXPECT_EQ(peaks("interleaved", shapeOf(4, 8))[0], 11);
  EXPECT_EQ(peaks("interleaved", shapeOf(8, 16))[0], 23);
}

TEST(ZeroBubble, H1HasTheMemoryOfOneForwardOneBackward) {
  for (const auto& [depth, microBatches] : {std::pair(4, 4), {8, 8}, {4, 9}}) {
    EXPECT_EQ(makespan("zb-h1", shapeOf(depth, microBatches)),
              3 * microBatches + depth - 1);
    EXPECT_THAT(peaks("zb-h1", shapeOf(depth, microBatches)), Each(depth));
  }
  // This holds also for fewer micro-batches than stages.
  EXPECT_GE(makespan("zb-h1", shapeOf(6, 2)), 3 * 2 + 5);
}

TEST(ZeroBubble, H2DoesNotIdleInside) {
  for (const auto& [depth, microBatches] : {std::pair(4, 8), {4, 7}, {8, 16}}) {
    const Table table = checkedTable("zb-h2", shapeOf(depth, microBatches));
    EXPECT_EQ(makespanOf(table, 1, 2), 3 * microBatches + depth - 1);
    EXPECT_EQ(makespanOf(unrolled(table, 3), 1, 2),
              9 * microBatches + depth - 1);
    EXPECT_THAT(peaksOfTable(table), Each(2 * depth - 1));
  }
}

TEST(ZeroBubble, VHasBothEndsOnOneWorker) {
  for (const auto& [depth, microBatches] : {std::pair(4, 8), {8, 16}, {4, 7}}) {
    EXPECT_EQ(makespan("zb-v", shapeOf(depth, microBatches)),
              6 * microBatches + depth - 1);
    EXPECT_THAT(peaks("zb-v", shapeOf(depth, microBatches)), Each(2 * depth));
  }
}

TEST(DualPipe, IdlesOnlyInHalfOfThePipe) {
  for (const auto& [depth, microBatches] :
       {std::pair(8, 20), {4, 8}, {6, 14}}) {
    EXPECT_EQ(makespan("dualpipe", shapeOf(depth, microBatches)),
              3 * microBatches + depth / 2 - 1);
    EXPECT_THAT(peaks("dualpipe", shapeOf(depth, microBatches)),
                Each(depth + 1));
  }
  for (const auto& [depth, microBatches] : {std::pair(4, 8), {3, 7}}) {
    EXPECT_EQ(makespan("dualpipe-v", shapeOf(depth, microBatches)),
              6 * microBatches + depth - 1);
    EXPECT_THAT(peaks("dualpipe-v", shapeOf(depth, microBatches)),
                Each(2 * depth + 1));
  }
}

TEST(Gems, HoldsOneMicroBatch) {
  for (const auto& [depth, microBatches] : {std::pair(4, 4), {8, 8}, {6, 5}}) {
    EXPECT_EQ(makespan("gems", shapeOf(depth, microBatches)),
              microBatches * (2 * depth + 1) + depth - 1);
    EXPECT_THAT(peaks("gems", shapeOf(depth, microBatches)), Each(1));
  }
}

TEST(Chimera, FillsBubblesByTheOppositePipe) {
  struct Case {
    int64_t depth, microBatches;
    double equal, twice;  // B = F, B = 2F
  };
  for (const Case& c : std::vector<Case>{{4, 1, 8, 12},
                                         {4, 2, 8, 12},
                                         {4, 4, 10, 16},
                                         {6, 6, 16, 26},
                                         {8, 2, 16, 24},
                                         {8, 4, 18, 28},
                                         {8, 6, 20, 32},
                                         {8, 8, 22, 36},
                                         {4, 8, 18, 30},
                                         {4, 12, 26, 44},
                                         {4, 16, 34, 58},
                                         {8, 16, 38, 66},
                                         {8, 24, 54, 96}}) {
    const Shape shape = shapeOf(c.depth, c.microBatches);
    EXPECT_EQ(makespan("chimera", shape, 1, 1), c.equal)
        << c.depth << " " << c.microBatches;
    EXPECT_EQ(makespan("chimera", shape, 1, 2), c.twice)
        << c.depth << " " << c.microBatches;
  }
  EXPECT_EQ(makespan("chimera", shapeOf(4, 6)), 25);
  EXPECT_THAT(peaks("chimera", shapeOf(4, 4)), ElementsAre(3, 4, 4, 3));
  EXPECT_THAT(peaks("chimera", shapeOf(6, 6)), ElementsAre(4, 5, 6, 6, 5, 4));
  EXPECT_THAT(peaks("chimera", shapeOf(4, 16)), ElementsAre(3, 4, 4, 3));
}

TEST(Chimera, HasFewerBubblesWithMorePairs) {
  EXPECT_EQ(makespan("chimera", chimera(8, 8, "direct", 2), 1, 1), 18);
  EXPECT_EQ(makespan("chimera", chimera(8, 8, "direct", 2)), 28);
  EXPECT_EQ(makespan("chimera", chimera(8, 8, "direct", 4)), 24);
  EXPECT_EQ(makespan("chimera", chimera(12, 12, "direct", 3), 1, 1),
            2 * 12 + 12 / 3 - 2);
  EXPECT_THAT(peaks("chimera", chimera(8, 8, "direct", 2)),
              ElementsAre(7, 8, 8, 7, 7, 8, 8, 7));
}

TEST(Chimera, DoublesForwardsOrHalvesBackwards) {
  EXPECT_EQ(makespan("chimera", chimera(4, 8, "doubling")), 28);
  EXPECT_EQ(makespan("chimera", chimera(4, 16, "doubling")), 52);
  EXPECT_EQ(makespan("chimera", chimera(8, 16, "doubling")), 60);
  EXPECT_THAT(peaks("chimera", chimera(4, 8, "doubling")),
              ElementsAre(7, 8, 8, 7));
  EXPECT_EQ(makespan("chimera", chimera(4, 4, "halving")), 14);
  EXPECT_EQ(makespan("chimera", chimera(4, 8, "halving")), 26);
  EXPECT_EQ(makespan("chimera", chimera(8, 8, "halving")), 30);
  EXPECT_THAT(peaks("chimera", chimera(4, 4, "halving")),
              ElementsAre(3.5, 4, 4, 3.5));
}

TEST(Chimera, HasClosedFormsForWholeUnits) {
  for (int64_t depth : {2, 4, 6, 8})
    for (int64_t units : {1, 2, 3}) {
      const int64_t microBatches = units * depth;
      EXPECT_EQ(makespan("chimera", shapeOf(depth, microBatches)),
                units * (4 * depth - 2) + depth - 2);
      EXPECT_EQ(makespan("chimera", chimera(depth, microBatches, "halving")),
                3 * microBatches + depth - 2);
      EXPECT_EQ(
          makespan("chimera", chimera(depth, 2 * microBatches, "doubling")),
          6 * microBatches + 2 * (depth - 2));
    }
}

TEST(Chimera, HidesRecomputationWhereThereAreBubbles) {
  // A recomputation that is part of the backward waits for the gradient.
  EXPECT_EQ(makespan("chimera", chimera(4, 8, "doubling"), 1, 3), 38);
  EXPECT_EQ(makespan("chimera", chimera(4, 16, "doubling"), 1, 3), 72);
  EXPECT_EQ(makespan("chimera", chimera(8, 16, "doubling"), 1, 3), 82);
  const Table table =
      withRecomputation(checkedTable("chimera", chimera(4, 8, "doubling")));
  ASSERT_TRUE(check(table).ok()) << check(table);
  EXPECT_LE(makespanOf(table, 1, 2), 38);
}

/// Returns the time of a step once the pipeline is full.
double steadyStep(const Table& table) {
  return (makespanOf(unrolled(table, 40), 1, 2) -
          makespanOf(unrolled(table, 20), 1, 2)) /
         20;
}

TEST(PipeDream, IsBusyAllTheTime) {
  EXPECT_EQ(steadyStep(checkedTable("pipedream", shapeOf(4, 1))), 3);
  EXPECT_EQ(steadyStep(checkedTable("pipedream", shapeOf(5, 3))), 9);
  EXPECT_EQ(steadyStep(checkedTable("pipedream-2bw", shapeOf(4, 6))), 18);
  EXPECT_THAT(peaks("pipedream", shapeOf(4, 1)), ElementsAre(4, 3, 2, 1));
}

TEST(PipeDream, KeepsTheWeightsThatForwardsHaveRead) {
  auto weights = [](const char* family, const Shape& shape) {
    std::vector<int64_t> versions;
    for (const auto& ofWorker : slotsOf(checkedTable(family, shape)))
      versions.push_back(ofWorker[0].weights);
    return versions;
  };
  EXPECT_THAT(weights("pipedream", shapeOf(4, 1)), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(weights("pipedream", shapeOf(3, 8)), ElementsAre(3, 2, 1));
  EXPECT_THAT(weights("pipedream-2bw", shapeOf(4, 4)), Each(2));
  EXPECT_THAT(weights("1f1b", shapeOf(4, 4)), Each(1));
}

/// Expects that a family refuses `shape` with an error that contains all
/// `words`.
void expectError(const std::string& family, const Shape& shape,
                 const std::vector<std::string>& words) {
  const absl::StatusOr<Table> table = tableOf(family, shape);
  ASSERT_FALSE(table.ok()) << family;
  for (const std::string& word : words)
    EXPECT_THAT(std::string(table.status().message()), HasSubstr(word));
}

TEST(Families, SayWhichConditionIsNotMet) {
  expectError("zb-h2", shapeOf(4, 5), {"2D-1 = 7", "4 workers", "5 are given"});
  expectError("zb-v", shapeOf(4, 6), {"2D-1 = 7", "6 are given"});
  expectError("chimera", shapeOf(3, 4), {"even", "3 are given"});
  expectError("chimera", chimera(8, 8, "direct", 3),
              {"D/2 = 4", "3 are given"});
  expectError("chimera", chimera(4, 5, "doubling"), {"even", "5 are given"});
  expectError("chimera", chimera(4, 4, "tripling"),
              {"'tripling'", "direct, doubling, halving"});
  expectError("dualpipe", shapeOf(5, 20), {"even", "5 are given"});
  expectError("dualpipe", shapeOf(4, 6), {"2D = 8", "6 are given"});
  expectError("dualpipe-v", shapeOf(4, 7), {"2D = 8", "7 are given"});
  expectError("interleaved", shapeOf(4, 6), {"multiple of 4", "6 are given"});
  expectError("pipedream-2bw", shapeOf(4, 3), {"D = 4", "3 are given"});
  expectError("gpipe", chimera(4, 4, "direct"), {"no pairs"});
  expectError("nope", shapeOf(4, 4), {"'nope'", "gpipe, 1f1b"});
  expectError("gpipe", shapeOf(0, 4), {"0 stages"});
  expectError("gpipe", shapeOf(1 << 20, 1 << 20), {"too many"});
}

TEST(Families, MakeTablesThatCanBeRunOfAnyShapeTheyTake) {
  for (const Family& family : families())
    for (int64_t depth = 1; depth <= 9; ++depth)
      for (int64_t microBatches = 1; microBatches <= 20; ++microBatches) {
        const auto table = tableOf(family.name, shapeOf(depth, microBatches));
        if (!table.ok()) continue;
        const absl::Status found = check(*table);
        EXPECT_TRUE(found.ok()) << family.name << " " << depth << " "
                                << microBatches << ": " << found;
      }
}

}  // namespace
}  // namespace sbp::schedule
