// Times that no order of a table's tasks can beat.

#ifndef PASSES_SCHEDULE_BOUNDS_H_
#define PASSES_SCHEDULE_BOUNDS_H_

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"

namespace sbp::schedule {

/// Lower bounds of the makespan of any table that has the same tasks on the
/// same workers, in whatever order.
struct Bounds {
  /// The longest chain of tasks that wait for one another, transfers included.
  double chain = 0;

  /// The worker that is needed longest: before its first task comes at least
  /// the shortest way from the start to any of its tasks, then all of its work,
  /// then the shortest way to the end.
  double worker = 0;

  double best() const { return chain > worker ? chain : worker; }
};

/// The bounds of a table that has passed `check`.
Bounds boundsOf(const Dependencies& dependencies, const Durations& durations);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_BOUNDS_H_
