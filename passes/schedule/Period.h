// What a worker does from the end of one step to the end of the next, in a
// table without a flush.
//
// A row of the table ends where the worker begins the row again; a step of a
// worker ends where it updates its weights. Behind that stand tasks of steps to
// come:
//
//   row       0F0 0B1<1 0U<1 0F1 0B0      N = 2
//   period    0F1 0B0 0F0(+1) 0B1 0U      one step, and the beginning of the
//   next
//
// So what a worker has done when its step is over is told by its weights alone,
// which are all that a run needs to go on from there.

#ifndef PASSES_SCHEDULE_PERIOD_H_
#define PASSES_SCHEDULE_PERIOD_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// A task of the step `ahead` behind the one that the period ends.
struct PeriodTask {
  Task task;  // stepsBack is 0
  int64_t ahead = 0;
};

/// By worker, the tasks of a period. `table` has passed `check`, and stages
/// read weights as old as `delays` says (Delays.h). Fails where more than
/// forwards, of no more than so many steps, stand ahead: where a worker updates
/// stages in several places, say.
absl::StatusOr<std::vector<std::vector<PeriodTask>>> periodsOf(
    const Table& table, const std::vector<int64_t>& delays);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_PERIOD_H_
