// Lower bounds of the makespan of a table, over all orders of its tasks.
//
// Let F and B be the times of a forward and a backward. For D stages on D
// workers and N micro-batches through one pipe, the bound of the busiest worker
// is (N + D - 1)(F + B). gpipe and 1f1b attain it. With two pipes in opposite
// directions, each with half of the micro-batches, the bound of the workers in
// the middle is N(F + B) + (D/2 - 1)(F + B). For D = N = 4, Chimera takes F + B
// more.

#ifndef PASSES_SCHEDULE_BOUNDS_H_
#define PASSES_SCHEDULE_BOUNDS_H_

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"

namespace sbp::schedule {

/// Lower bounds of the makespan of all tables that have the same tasks on the
/// same workers.
struct Bounds {
  /// The duration of the longest chain of tasks that wait for one another,
  /// transfers included.
  double chain = 0;

  /// The largest bound of a worker. The bound of a worker is the earliest time
  /// at which one of its tasks can start, plus the duration of all its tasks,
  /// plus the shortest time from the end of one of its tasks to the end of the
  /// run.
  double worker = 0;

  double best() const { return chain > worker ? chain : worker; }
};

/// Returns the bounds of a table that has passed `check`. `durations` must have
/// all of its stages.
Bounds boundsOf(const Dependencies& dependencies, const Durations& durations);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_BOUNDS_H_
