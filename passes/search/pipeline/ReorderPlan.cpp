#include "passes/search/pipeline/ReorderPlan.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "passes/schedule/order/OrderBounds.h"
#include "passes/search/pipeline/FamilyTable.h"

namespace sbp::search {
namespace {

/// Returns the problem to order the tasks of `table`. What a worker keeps in
/// any order is taken off its memory.
schedule::OrderProblem orderProblemOf(const JointProblem& problem,
                                      const FamilyTable& table,
                                      const std::vector<StageCost>& costs) {
  schedule::OrderProblem order;
  order.table = table.table();
  order.durations = durationsOf(costs);
  for (const StageCost& cost : costs)
    order.memory.push_back({cost.stash, cost.residue});
  for (int64_t worker = 0; worker < order.table.numWorkers(); ++worker) {
    double kept = 0, transient = 0;
    for (const WorkerStage& stage : table.workers()[worker]) {
      StageLoad empty = stage.load;
      empty.inFlight = empty.awaitingWeight = 0;
      kept += empty.bytesOf(costs[stage.stage]);
      transient = std::max(transient, costs[stage.stage].transient);
    }
    // No order keeps more than all of it.
    double most = 0;
    for (const schedule::Task& task : order.table.workers[worker])
      most += order.acquiredBy(task);
    order.room.push_back(std::min(most, problem.room() - kept - transient));
  }
  return order;
}

}  // namespace

std::optional<ReorderedPlan> reorderPlan(
    const JointProblem& problem, const JointPlan& plan, double leastGap,
    const schedule::SynthesisTuning& tuning) {
  const auto made = FamilyTable::make(problem.families[plan.family],
                                      problem.cases[plan.chosenCase]);
  if (!made.ok() || (*made)->isPeriodic()) return std::nullopt;
  const std::vector<StageCost> costs = stageCosts(problem, plan);
  const schedule::OrderProblem order = orderProblemOf(problem, **made, costs);
  if (!order.check().ok()) return std::nullopt;
  const double before = (*made)->secondsOf(costs);
  const double bound =
      schedule::orderBoundsOf(schedule::TaskGraph(order)).best();
  if (before <= bound * (1 + leastGap)) return std::nullopt;
  schedule::SynthesisedOrder found = schedule::synthesiseOrder(order, tuning);
  if (!found.order || found.cost.makespan >= before) return std::nullopt;
  const std::unique_ptr<FamilyTable> table = FamilyTable::of(*found.order);
  ReorderedPlan reordered = {plan, table->table(), {}, found.bound};
  reordered.cost = {table->secondsOf(costs), table->bytesOf(costs)};
  // Slots of different stages of a worker do not share memory, so a worker may
  // need more than it keeps at once.
  for (double bytes : reordered.cost.bytes)
    if (bytes > problem.room()) return std::nullopt;
  return reordered;
}

}  // namespace sbp::search
