// Lower bounds of the makespan over all orders of a table's tasks.
//
// For D stages on D workers and N micro-batches through one pipe, the busiest
// worker gives (N + D - 1)(F + B), where F and B are the times of a forward and
// a backward: gpipe and 1f1b reach it. With two pipes in opposite directions,
// which share the micro-batches evenly, the workers in the middle give N(F + B)
// + (D/2 - 1)(F + B). For D = 4, Chimera with N = D takes F + B more.

#ifndef PASSES_SCHEDULE_BOUNDS_H_
#define PASSES_SCHEDULE_BOUNDS_H_

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"

namespace sbp::schedule {

/// Lower bounds of the makespan of any table that has the same tasks on the
/// same workers, in any order.
struct Bounds {
  /// The duration of the longest chain of tasks that wait for one another,
  /// transfers included.
  double chain = 0;

  /// The largest bound that a worker gives: the earliest time at which one of
  /// its tasks can start, plus the duration of all its tasks, plus the least
  /// time that the run goes on after one of them has ended.
  double worker = 0;

  double best() const { return chain > worker ? chain : worker; }
};

/// Returns the bounds of a table that has passed `check`. `durations` has all
/// of its stages.
Bounds boundsOf(const Dependencies& dependencies, const Durations& durations);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_BOUNDS_H_
