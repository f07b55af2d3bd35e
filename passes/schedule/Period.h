// What a worker does from the end of one training step to the end of the next,
// in a table without a flush.
//
// A worker runs its row again and again. But its step ends with the last update
// of its weights, and after this update the row may have tasks of later steps.
// A period begins after the last update of a step and ends with that of the
// next:
//
//   row       0F0 0B1<1 0U<1 0F1 0B0      N = 2 micro-batches
//   period    0F1 0B0 0F0(+1) 0B1 0U      a step, and the start of the next one
//
// Without updates, the period is the row.
//
// When a worker's step is over, the worker's weights hold the whole result of
// the step. Nothing else is needed to continue from there.

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
  int64_t stepOffset = 0;  // relative to the step that the period ends; 1: next
};

/// Returns the tasks of a period of each worker. `table` has passed `check`;
/// `delays` has, by stage, the age of the weights that the stage reads
/// (Delays.h). Fails if a period has a task of another step than the one that
/// it ends. Forwards and recomputations are allowed, if they are of a step that
/// is later by at most their stage's delay. A table fails, for example, if a
/// worker updates its stages in several places.
absl::StatusOr<std::vector<std::vector<PeriodTask>>> periodsOf(
    const Table& table, const std::vector<int64_t>& delays);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_PERIOD_H_
