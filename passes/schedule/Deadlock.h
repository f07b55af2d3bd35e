// The shortest circle in which tasks of a table wait for one another.

#ifndef PASSES_SCHEDULE_DEADLOCK_H_
#define PASSES_SCHEDULE_DEADLOCK_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Dependencies.h"

namespace sbp::schedule {

/// One step of a circle: on a worker, `held` stands behind `waiting`, or is the
/// same task; and `waiting` waits for the `held` of the next step.
struct Wait {
  int64_t held = 0;
  int64_t waiting = 0;
};

/// A circle of as few waits as possible; the last one waits for the first.
/// Empty if all tasks can be run.
///
/// A circle visits a worker once (what it does twice on one list can be cut
/// short), so it has at most as many waits as there are workers. If there is
/// one, each task is looked at for circles of 1, 2, ... waits: with workers
/// that wait for few others that is quick, as circles are short.
std::vector<Wait> shortestCircle(const Dependencies& dependencies);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_DEADLOCK_H_
