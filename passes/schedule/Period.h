// What a worker does from the end of one training step to the end of the next,
// in a table without a flush.
//
// A row of the table ends where the worker starts the row again; a step of a
// worker ends with the last update of its weights. After this update the row
// may have tasks of later steps:
//
//   row       0F0 0B1<1 0U<1 0F1 0B0      N = 2 micro-batches
//   period    0F1 0B0 0F0(+1) 0B1 0U      a step, and the start of the next one
//
// When a worker's step is over, its result is in the worker's weights alone:
// they are all that is needed to continue from there.

#ifndef PASSES_SCHEDULE_PERIOD_H_
#define PASSES_SCHEDULE_PERIOD_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// A task of a period, and the training step that it belongs to.
struct PeriodTask {
  Task task;               // its own stepOffset is 0
  int64_t stepOffset = 0;  // from the step that the period ends; 1 is the next
};

/// Returns the tasks of a period of each worker. `table` has passed `check`;
/// `delays` has, by stage, the age of the weights that it reads (Delays.h).
/// Fails if a period has a task of another step than its own, unless it is a
/// forward or a recomputation of a later step, by at most the stage's delay:
/// for example where a worker updates its stages in several places.
absl::StatusOr<std::vector<std::vector<PeriodTask>>> periodsOf(
    const Table& table, const std::vector<int64_t>& delays);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_PERIOD_H_
