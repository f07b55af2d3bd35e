// The times at which the tasks of a table without a flush run, given their
// durations.
//
// Without a flush, each step repeats the previous one, one period later: task t
// of step s starts at start(t) + s * period. As in Simulate.h, a task starts
// after all tasks `before` for which it waits. But messages occupy no link, so
// each message takes the time of a message that is alone. The `next` task of a
// worker's list may be of an earlier or later step:
//
//   start(task) >= start(before) + duration(before) + message
//   start(next) >= start(task) + duration(task)
//                  + period * (stepOffset(task) - stepOffset(next))
//
// After its last task, a worker begins its list again for the next step. There
// `next` is the first task, and one period is subtracted on the right side.
// These are difference constraints. They have a solution if and only if no
// cycle of waits takes longer than the periods that it spans. The least period
// with a solution is the time of a step in a full pipeline.

#ifndef PASSES_SCHEDULE_REPETITION_H_
#define PASSES_SCHEDULE_REPETITION_H_

#include <vector>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"

namespace sbp::schedule {

/// A step that is repeated. Times are in the units of the durations.
struct Repetition {
  double period = 0;           // from the start of a step to that of the next
  std::vector<double> starts;  // of one step, by task; 0 or later
};

/// Returns the fastest repetition of a table that has passed schedule::check()
/// (Check.h). The period is found by bisection, and is at most 1 part in 10,000
/// above the least one. A period counts as too short if no starts are found for
/// it in a limited number of passes. `dependencies` must be those of the table,
/// and `durations` must have all its stages. At least one task or message must
/// take time.
Repetition fastestRepetition(const Dependencies& dependencies,
                             const Durations& durations);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_REPETITION_H_
