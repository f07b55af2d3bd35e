#include "passes/schedule/Period.h"

#include <utility>

#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

/// Returns the position of the last update of the step whose forwards are in
/// row 0. The first element is the row of the update, counted from row 0; the
/// second is its index in that row. In a list without updates, returns the end
/// of row 0.
std::pair<int64_t, int64_t> endOfStep(const std::vector<Task>& tasks) {
  std::pair<int64_t, int64_t> end = {-1, -1};
  for (size_t i = 0; i < tasks.size(); ++i)
    if (tasks[i].kind == Kind::Update)
      end = std::max(end, std::pair(-tasks[i].stepOffset, int64_t(i)));
  if (end.first >= 0) return end;
  return {0, static_cast<int64_t>(tasks.size()) - 1};
}

/// Fails unless the task `asWritten` of a later step may be in a period. The
/// step is `stepOffset` steps after the step that the period ends.
absl::Status checkStepOffset(const Table& table, const Task& asWritten,
                             int64_t stepOffset, int64_t delay) {
  const bool isForward =
      asWritten.kind == Kind::Forward || asWritten.kind == Kind::Recompute;
  if (stepOffset == 0 || (isForward && stepOffset > 0 && stepOffset <= delay))
    return absl::OkStatus();
  if (isForward && stepOffset > 0)
    return error(
        "has the {} {} before the last update of its worker's step, and it "
        "reads weights {} steps old; it cannot begin before these are there, "
        "so updates of a worker's stages are to stand together",
        describe(table, asWritten), stepOffset == 1 ? "a step" : "steps",
        delay);
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
    const auto [rowsLater, last] = endOfStep(tasks);
    const auto numTasks = static_cast<int64_t>(tasks.size());
    for (int64_t i = 0; i < numTasks; ++i) {
      const int64_t index = (last + 1 + i) % numTasks;
      const Task& task = tasks[index];
      // A task after the end of the step is in the row before.
      const int64_t stepOffset =
          rowsLater + task.stepOffset - (index > last ? 1 : 0);
      SBP_RETURN_IF_ERROR(
          checkStepOffset(table, task, stepOffset, delays[task.stage]));
      period.push_back({task, stepOffset});
      period.back().task.stepOffset = 0;
    }
  }
  return periods;
}

}  // namespace sbp::schedule
