#include "passes/schedule/Check.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "passes/schedule/Completeness.h"
#include "passes/schedule/Deadlock.h"
#include "passes/schedule/Dependencies.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

/// Returns a number of steps that contains every cycle of the table. The worker
/// runs a task of a step in round step - stepOffset. Consider a cycle as a
/// chain from each task to a task that must run after it. The next task of a
/// worker's list is in the same round or a later one. A task on another worker
/// that waits for this task is in an earlier round only if its stepOffset is
/// larger, and then by the difference at most. A cycle has at most one such
/// wait per worker (Deadlock.h).
int64_t stepsOfACycle(const Table& table) {
  const int64_t numOverlapped = numOverlappedSteps(table);
  if (numOverlapped == 0) return 1;
  const Dependencies dependencies(table);
  int64_t most = 0;
  for (int64_t task = 0; task < dependencies.numTasks(); ++task)
    for (int64_t before : dependencies.before(task))
      most = std::max(most, dependencies.task(task).stepOffset -
                                dependencies.task(before).stepOffset);
  return 1 + table.numWorkers() * most + numOverlapped;
}

std::string describeCycle(const Dependencies& dependencies,
                          const std::vector<Wait>& cycle) {
  const Table& table = dependencies.table();
  auto name = [&](int64_t task) {
    return describe(table, dependencies.task(task));
  };
  auto worker = [&](int64_t task) {
    return fmt::format("worker {}", dependencies.workerOf(task));
  };
  if (cycle.size() == 1 && cycle[0].held == cycle[0].waiting)
    return fmt::format("{}: the {} waits for itself", worker(cycle[0].held),
                       name(cycle[0].held));
  if (cycle.size() == 1)
    return fmt::format("{}: the {} waits for the {}, which comes after it",
                       worker(cycle[0].held), name(cycle[0].waiting),
                       name(cycle[0].held));
  std::string text;
  for (size_t i = 0; i < cycle.size(); ++i) {
    const Wait& next = cycle[(i + 1) % cycle.size()];
    text +=
        fmt::format("{}{}: the {} waits for the {} on {}", i == 0 ? "" : "; ",
                    worker(cycle[i].waiting), name(cycle[i].waiting),
                    name(next.held), worker(next.held));
    if (next.held != next.waiting)
      text +=
          fmt::format(", which comes there after the {}", name(next.waiting));
  }
  return "tasks wait for one another, so that none is ever run: " + text;
}

/// Fails unless, on each worker, the updates of each stage are in the order of
/// their micro-batches.
absl::Status checkUpdateOrder(const Table& table) {
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker) {
    std::map<int64_t, const Task*> last;
    for (const Task& task : table.workers[worker]) {
      if (task.kind != Kind::Update) continue;
      const Task*& before = last[task.stage];
      if (before != nullptr && before->first > task.first)
        return error(
            "worker {} has the {} after the {}; updates of a stage "
            "come in the order of micro-batches",
            worker, describe(table, task), describe(table, *before));
      before = &task;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status check(const Table& table) {
  SBP_RETURN_IF_ERROR(checkComplete(table));
  const int64_t numSteps = stepsOfACycle(table);
  if (numSteps > kMaxStageParts / table.numStages / table.numParts())
    return error(
        "the table has tasks of {} steps before, too many to check: {} "
        "steps of {} stages and {} parts are more than {} together",
        numOverlappedSteps(table), numSteps, table.numStages, table.numParts(),
        kMaxStageParts);
  const Table all = unrolled(table, numSteps);
  const Dependencies dependencies(all);
  const std::vector<Wait> cycle = shortestCycle(dependencies);
  if (!cycle.empty()) return error("{}", describeCycle(dependencies, cycle));
  return checkUpdateOrder(all);
}

}  // namespace sbp::schedule
