// The shortest cycle in which tasks of a table wait for one another.
//
//   worker 0 | 0F0 0B0 0F1 0B1     0B0 waits for 1B0, which stands behind 1F1;
//   worker 1 | 1F1 1F0 1B0 1B1     1F1 waits for 0F1, which stands behind 0B0
//
// A cycle is the smallest mistake that keeps a table from being run, and most
// often two tasks the wrong way round: so that is what is told of a table, not
// all that is held up by it.

#ifndef PASSES_SCHEDULE_DEADLOCK_H_
#define PASSES_SCHEDULE_DEADLOCK_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Dependencies.h"

namespace sbp::schedule {

/// One step of a cycle: on a worker, `held` stands behind `waiting`, or is the
/// same task; and `waiting` waits for the `held` of the next step.
struct Wait {
  int64_t held = 0;
  int64_t waiting = 0;
};

/// A cycle of as few waits as possible; the last one waits for the first.
/// Empty if all tasks can be run.
///
/// A cycle visits a worker once (what it does twice on one list can be cut
/// short), so it has at most as many waits as there are workers. If there is
/// one, each task is looked at for cycles of 1, 2, ... waits: with workers
/// that wait for few others that is quick, as cycles are short.
std::vector<Wait> shortestCycle(const Dependencies& dependencies);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_DEADLOCK_H_
