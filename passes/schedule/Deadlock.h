// The shortest cycle in which tasks of a table wait for one another.
//
//   worker 0 | 0F0 0B0 0F1 0B1     0B0 waits for 1B0, which comes after 1F1;
//   worker 1 | 1F1 1F0 1B0 1B1     1F1 waits for 0F1, which comes after 0B0
//
// A cycle often has just two tasks in the wrong order. So an error reports one
// shortest cycle, not all tasks that cannot be run because of it.

#ifndef PASSES_SCHEDULE_DEADLOCK_H_
#define PASSES_SCHEDULE_DEADLOCK_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Dependencies.h"

namespace sbp::schedule {

/// A worker's share of a cycle: two tasks of the worker, numbered as in
/// Dependencies. In the worker's list, `held` comes after `waiting`, or is the
/// same task. `waiting` waits for the `held` of the next element of the cycle.
struct Wait {
  int64_t held = 0;
  int64_t waiting = 0;
};

/// Returns a cycle with the fewest possible waits. The last element waits for
/// the first one. Returns an empty list if all tasks can be run.
///
/// A shortest cycle visits each worker at most once, since a part between two
/// visits could be cut out. So it has at most as many waits as there are
/// workers. If there is a cycle, a breadth-first search from each task looks
/// for cycles of 1, 2, ... waits. This is fast, since cycles are short and a
/// worker waits for few other workers.
std::vector<Wait> shortestCycle(const Dependencies& dependencies);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_DEADLOCK_H_
