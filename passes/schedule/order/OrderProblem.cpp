#include "passes/schedule/order/OrderProblem.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

#include "passes/schedule/Check.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/order/TaskGraph.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

bool isTime(double value) { return std::isfinite(value) && value >= 0; }

absl::Status checkDurations(const Table& table, const Durations& durations) {
  const auto numStages = static_cast<size_t>(table.numStages);
  if (durations.stages.size() != numStages)
    return error("the table has {} stages, but {} have durations", numStages,
                 durations.stages.size());
  const size_t numBoundaries = durations.boundaryLatencies.size();
  if (numBoundaries != 0 && numBoundaries + 1 < numStages)
    return error("the table has {} boundaries of stages, but {} have latencies",
                 numStages - 1, numBoundaries);
  bool areTimes = isTime(durations.transfer) && isTime(durations.latency);
  for (const StageTimes& times : durations.stages)
    for (double time : {times.forward, times.backward, times.input,
                        times.weight, times.reduce, times.update})
      areTimes &= isTime(time);
  for (double latency : durations.boundaryLatencies)
    areTimes &= isTime(latency);
  if (!areTimes) return error("a time is negative or not finite");
  return absl::OkStatus();
}

absl::Status checkKinds(const Table& table) {
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks)
      if (task.kind == Kind::Recompute ||
          (!isPerPart(task.kind) && !isOfWholeStep(table, task)))
        return error(
            "{} is a {}; an order is found for tables without recomputations, "
            "and whose reductions and updates are of all micro-batches",
            cellOf(table, task), nameOf(task.kind));
  return absl::OkStatus();
}

/// Returns the tasks of a list in an order that depends on nothing but which
/// tasks there are.
std::vector<Task> sorted(std::vector<Task> tasks) {
  std::sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) {
    return std::tie(a.kind, a.stage, a.first, a.count) <
           std::tie(b.kind, b.stage, b.first, b.count);
  });
  return tasks;
}

}  // namespace

double OrderProblem::acquiredBy(const Task& task) const {
  const double number = static_cast<double>(task.count) /
                        static_cast<double>(table.partsPerMicroBatch);
  if (task.kind == Kind::Forward) return number * memory[task.stage].stash;
  if (task.kind == Kind::Input) return number * memory[task.stage].residue;
  return 0;
}

double OrderProblem::releasedBy(const Task& task) const {
  const double number = static_cast<double>(task.count) /
                        static_cast<double>(table.partsPerMicroBatch);
  const StageMemory& ofStage = memory[task.stage];
  if (task.kind == Kind::Backward) return number * ofStage.stash;
  if (task.kind == Kind::Weight)
    return number * (ofStage.stash + ofStage.residue);
  return 0;
}

absl::Status OrderProblem::check() const {
  SBP_RETURN_IF_ERROR(schedule::check(table));
  if (numOverlappedSteps(table) > 0)
    return error(
        "the table has tasks of earlier steps; an order is found for tables "
        "whose steps end with a flush");
  SBP_RETURN_IF_ERROR(checkKinds(table));
  SBP_RETURN_IF_ERROR(checkDurations(table, durations));
  if (static_cast<int64_t>(memory.size()) != table.numStages)
    return error("the table has {} stages, but {} have memory", table.numStages,
                 memory.size());
  for (const StageMemory& each : memory)
    if (!isTime(each.stash) || !isTime(each.residue))
      return error("memory of a stage is negative or not finite");
  if (static_cast<int64_t>(room.size()) != table.numWorkers())
    return error("the table has {} workers, but {} have room",
                 table.numWorkers(), room.size());
  for (double each : room)
    if (!isTime(each)) return error("room is negative or not finite");
  const TaskGraph graph(*this);
  for (int64_t batch = 0; batch < graph.numBatches(); ++batch)
    for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
      if (const double least = graph.leastOf(batch, worker);
          least > roomOf(worker))
        return error(
            "worker {} has room for {:.10g}, but a single micro-batch keeps "
            "{:.10g} there",
            worker, room[worker], least);
  return absl::OkStatus();
}

std::vector<double> OrderProblem::peaksOf(const Table& order) const {
  std::vector<double> peaks;
  for (const std::vector<Task>& tasks : order.workers) {
    double now = 0, most = 0;
    for (const Task& task : tasks) {
      now += acquiredBy(task);
      most = std::max(most, now);
      now -= releasedBy(task);
    }
    peaks.push_back(most);
  }
  return peaks;
}

absl::StatusOr<OrderCost> OrderProblem::verify(const Table& order) const {
  if (order.numWorkers() != table.numWorkers())
    return error("the order has {} workers, the problem {}", order.numWorkers(),
                 table.numWorkers());
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    if (!(sorted(order.workers[worker]) == sorted(table.workers[worker])))
      return error("worker {} has other tasks than the problem says", worker);
  SBP_RETURN_IF_ERROR(schedule::check(order));
  OrderCost cost;
  cost.peaks = peaksOf(order);
  for (int64_t worker = 0; worker < order.numWorkers(); ++worker)
    if (cost.peaks[worker] > roomOf(worker))
      return error("worker {} keeps {:.10g} at once, and has room for {:.10g}",
                   worker, cost.peaks[worker], room[worker]);
  cost.makespan = simulate(Dependencies(order), durations).makespan;
  return cost;
}

}  // namespace sbp::schedule
