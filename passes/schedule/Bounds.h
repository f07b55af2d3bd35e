// Times that no order of a table's tasks can beat.
//
// For D stages on D workers and N micro-batches through one pipe, the busiest
// worker gives (N + D - 1)(F + B): gpipe and 1f1b cannot be better than they
// are. With pipes in both directions the workers in the middle give
// N(F + B) + (D/2 - 1)(F + B): Chimera's N = D is one more than that for D = 4.

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
