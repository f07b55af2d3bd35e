#include "passes/schedule/Period.h"

#include <utility>

#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

/// The place of the last update of a step: how many rows behind that of its
/// forwards, and where in the row. Of a list without updates, its end.
std::pair<int64_t, int64_t> endOfStep(const std::vector<Task>& tasks) {
  std::pair<int64_t, int64_t> end = {-1, -1};
  for (size_t i = 0; i < tasks.size(); ++i)
    if (tasks[i].kind == Kind::Update)
      end = std::max(end, std::pair(tasks[i].stepsBack, int64_t(i)));
  if (end.first >= 0) return end;
  return {0, static_cast<int64_t>(tasks.size()) - 1};
}

absl::Status checkAhead(const Table& table, const Task& asWritten,
                        int64_t ahead, int64_t delay) {
  const bool isForward =
      asWritten.kind == Kind::Forward || asWritten.kind == Kind::Recompute;
  if (ahead == 0 || (isForward && ahead > 0 && ahead <= delay))
    return absl::OkStatus();
  if (isForward && ahead > 0)
    return error(
        "has the {} {} before the last update of its worker's step, and it "
        "reads weights {} steps old; it cannot begin before these are there, "
        "so updates of a worker's stages are to stand together",
        describe(table, asWritten), ahead == 1 ? "a step" : "steps", delay);
  return error(
      "has the {} between the first and the last update of another step of its "
      "worker; without a flush only forwards stand there",
      describe(table, asWritten));
}

}  // namespace

absl::StatusOr<std::vector<std::vector<PeriodTask>>> periodsOf(
    const Table& table, const std::vector<int64_t>& delays) {
  std::vector<std::vector<PeriodTask>> periods;
  for (const std::vector<Task>& tasks : table.workers) {
    std::vector<PeriodTask>& period = periods.emplace_back();
    const auto [stepsBack, last] = endOfStep(tasks);
    const auto numTasks = static_cast<int64_t>(tasks.size());
    for (int64_t i = 0; i < numTasks; ++i) {
      const int64_t place = (last + 1 + i) % numTasks;
      const Task& task = tasks[place];
      // What stands behind the end stands in the row before.
      const int64_t ahead = stepsBack - task.stepsBack - (place > last ? 1 : 0);
      SBP_RETURN_IF_ERROR(checkAhead(table, task, ahead, delays[task.stage]));
      period.push_back({task, ahead});
      period.back().task.stepsBack = 0;
    }
  }
  return periods;
}

}  // namespace sbp::schedule
