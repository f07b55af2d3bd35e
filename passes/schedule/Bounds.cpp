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
               : durations.message();
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

}  // namespace sbp::schedule
