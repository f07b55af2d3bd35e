// The tasks of a worker from the end of one training step to the end of the
// next, in a table without a flush.
//
// A worker runs its row again and again. Its step ends with the last update of
// its weights. After this update, the row may have tasks of later steps. So a
// period begins after the last update of a step and ends with the last update
// of the next step:
//
//   row       0F0 0B1<1 0U<1 0F1 0B0      N = 2 micro-batches
//   period    0F1 0B0 0F0(+1) 0B1 0U      a step, and the start of the next one
//
// Without updates, the period is the row.
//
// At the end of a period, the worker's weights have the whole result of the
// step, and training can continue from these weights alone.

#ifndef PASSES_SCHEDULE_PERIOD_H_
#define PASSES_SCHEDULE_PERIOD_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// A task of a period, and the training step of the task.
struct PeriodTask {
  Task task;               // its own stepOffset is 0
  int64_t stepOffset = 0;  // relative to the step that the period ends
};

/// Returns, for each worker, the tasks of a period in order. `table` must have
/// passed `check`. `delays` has, for each stage, the age of the weights that
/// the stage reads (Delays.h).
///
/// A period may have tasks of the step that it ends. It may also have forwards
/// and recomputations of a step that is later by at most the delay of their
/// stage. Fails if a period has any other task, for example because a worker
/// updates its stages at positions that are far apart.
absl::StatusOr<std::vector<std::vector<PeriodTask>>> periodsOf(
    const Table& table, const std::vector<int64_t>& delays);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_PERIOD_H_
