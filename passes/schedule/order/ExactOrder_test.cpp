// The exact search, with all that it leaves out, finds what dynamic programming
// over all states finds.

#include "passes/schedule/order/ExactOrder.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/families/Family.h"
#include "passes/schedule/order/testing/LeastByStates.h"

namespace sbp::schedule {
namespace {

Table familyTable(const char* family, int64_t depth, int64_t microBatches,
                  std::vector<int64_t> workerOfStage = {}) {
  Shape shape;
  shape.depth = depth;
  shape.microBatches = microBatches;
  shape.workerOfStage = std::move(workerOfStage);
  return *tableOf(family, shape);
}

/// Returns a problem of `table` with random whole times, and little room.
OrderProblem randomProblem(const Table& table, std::mt19937& random) {
  auto below = [&](int64_t end) { return static_cast<double>(random() % end); };
  OrderProblem problem;
  problem.table = table;
  const bool areAlike = below(3) == 0;
  for (int64_t stage = 0; stage < table.numStages; ++stage) {
    StageTimes times = {1 + below(3), 1 + below(3), 1 + below(2), 1 + below(2)};
    // Pipes of opposite directions mirror each other if stages are alike.
    problem.durations.stages.push_back(areAlike ? StageTimes() : times);
    problem.memory.push_back({areAlike ? 1 : 1 + below(2), 0.5 * below(2)});
  }
  const double room = 1 + below(4);
  problem.room.assign(table.numWorkers(), room);
  while (!problem.check().ok())
    for (double& each : problem.room) each += 1;
  return problem;
}

TEST(ExactOrder, FindsWhatAllStatesHave) {
  const std::vector<Table> tables = {
      familyTable("chimera", 2, 6),
      familyTable("chimera", 4, 3),
      familyTable("chimera", 4, 4),
      familyTable("list", 3, 4),
      familyTable("list", 2, 6),
      familyTable("list", 2, 4, {0, 1, 1, 0}),
      familyTable("list", 2, 4, {0, 1, 0, 1}),
      familyTable("zb-h1", 2, 4),
      familyTable("dualpipe", 2, 4),
      familyTable("interleaved", 2, 4),
      *readCsv("0F0-1,0F2-3,0B0,0B1,0B2,0B3\n1F0-1,1B0,1B1,1F2-3,1B2,1B3\n"),
  };
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    const OrderProblem problem =
        randomProblem(tables[i % tables.size()], random);
    SCOPED_TRACE(i);
    const TaskGraph graph(problem);
    ASSERT_TRUE(hasWholeTimes(problem, graph));
    const double least = LeastByStates(problem).find();
    const double most = graph.totalDuration() + 1;
    const ExactAnswer found = searchExactOrder(graph, 1, most, 10'000'000);
    ASSERT_EQ(found.bound, std::min(least, most));
    ASSERT_EQ(found.order.has_value(), std::isfinite(least));
    if (!found.order) continue;
    const auto cost = problem.verify(*found.order);
    ASSERT_TRUE(cost.ok()) << cost.status();
    EXPECT_EQ(cost->makespan, least);
  }
}

TEST(ExactOrder, LeavesABoundIfItIsCutShort) {
  OrderProblem problem;
  problem.table = familyTable("chimera", 4, 8);
  problem.durations.stages.assign(4, {});
  problem.memory.assign(4, {});
  problem.room.assign(4, 3);
  const TaskGraph graph(problem);
  double last = 0;
  for (int64_t states : {0, 100, 3000, 1000000}) {
    const ExactAnswer found = searchExactOrder(graph, 27, 40, states);
    EXPECT_GE(found.bound, last);
    EXPECT_LE(found.bound, 32);
    EXPECT_LE(found.states, states + 1);
    last = found.bound;
  }
  EXPECT_EQ(last, 32);
}

TEST(ExactOrder, DoesNotApplyToTimesThatAreNotWhole) {
  OrderProblem problem;
  problem.table = familyTable("list", 2, 2);
  problem.durations.stages.assign(2, {});
  problem.memory.assign(2, {});
  problem.room.assign(2, 2);
  EXPECT_TRUE(hasWholeTimes(problem, TaskGraph(problem)));
  problem.durations.latency = 1;
  EXPECT_FALSE(hasWholeTimes(problem, TaskGraph(problem)));
  problem.durations.latency = 0;
  problem.durations.stages[1].forward = 1.5;
  EXPECT_FALSE(hasWholeTimes(problem, TaskGraph(problem)));
}

}  // namespace
}  // namespace sbp::schedule
