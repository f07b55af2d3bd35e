#include "passes/schedule/Bounds.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace sbp::schedule {

Bounds boundsOf(const Dependencies& dependencies, const Durations& durations) {
  const Table& table = dependencies.table();
  const int64_t numTasks = dependencies.numTasks();
  // The least time from the start of the run to the start of a task, and from
  // the end of the task to the end of the run.
  std::vector<double> heads(numTasks, 0), tails(numTasks, 0);
  auto duration = [&](int64_t task) {
    return durations.of(table, dependencies.task(task));
  };
  auto message = [&](int64_t from, int64_t to) {
    return dependencies.workerOf(from) == dependencies.workerOf(to)
               ? 0
               : durations.messageBetween(dependencies.task(from).stage,
                                          dependencies.task(to).stage);
  };
  const std::vector<int64_t> order = executionOrder(dependencies);
  for (int64_t task : order)
    for (int64_t before : dependencies.before(task))
      heads[task] = std::max(heads[task], heads[before] + duration(before) +
                                              message(before, task));
  for (auto task = order.rbegin(); task != order.rend(); ++task)
    for (int64_t before : dependencies.before(*task))
      tails[before] =
          std::max(tails[before],
                   message(before, *task) + duration(*task) + tails[*task]);

  Bounds bounds;
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker) {
    double head = std::numeric_limits<double>::infinity(), tail = head;
    double work = 0;
    for (int64_t task = dependencies.firstOf(worker);
         task < dependencies.firstOf(worker + 1); ++task) {
      head = std::min(head, heads[task]);
      tail = std::min(tail, tails[task]);
      work += duration(task);
      bounds.chain =
          std::max(bounds.chain, heads[task] + duration(task) + tails[task]);
    }
    if (!table.workers[worker].empty())
      bounds.worker = std::max(bounds.worker, head + work + tail);
  }
  return bounds;
}

PipeBound withStageBefore(const PipeBound& later, const PipeStage& stage,
                          int64_t numMicroBatches) {
  const auto n = static_cast<double>(numMicroBatches);
  const double c = std::min(stage.beforeInput, n);
  const double inFlight = std::min(stage.inFlight, n);
  const double pass = stage.forward + stage.input;
  const double way = later.way + 2 * stage.message;

  const double first = std::max(0.0, way - (c - 1) * stage.forward);
  const double lastWithoutWeight = std::max(0.0, way - (c - 1) * stage.input);
  const double last =
      std::max(0.0, lastWithoutWeight - (inFlight - 1) * stage.weight);
  // With N micro-batches in flight, both waits may be the same.
  const auto waits = [&](double after) {
    return stage.beforeInput < n ? first + after : std::max(first, after);
  };
  // Each micro-batch is in flight for F + R + I at least, and at most c are at
  // once; fewer while the first c forwards and the last c backwards run.
  const double area = n / c * (pass + way) + (c - 1) / 2 * pass;
  // Before the last backward of inputs, all but `inFlight` backwards of weights
  // have run.
  const double ofInputs =
      n * pass + (n - inFlight) * stage.weight + waits(lastWithoutWeight);
  const double ofAll = n * (pass + stage.weight) + waits(last) + stage.once;

  PipeBound bound;
  bound.way = way + pass;
  bound.backward =
      std::max({ofInputs, area, later.backward + 2 * stage.message + pass});
  bound.makespan = std::max({ofAll, bound.backward + stage.weight + stage.once,
                             later.makespan + stage.message + stage.forward});
  return bound;
}

double boundOfPipe(const std::vector<PipeStage>& stages,
                   int64_t numMicroBatches) {
  PipeBound bound;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
    bound = withStageBefore(bound, *stage, numMicroBatches);
  return bound.makespan;
}

}  // namespace sbp::schedule
