// When each task of a table without a flush runs, given how long tasks take.
//
// Without a flush, each step does the same as the one before it, one period
// later: task t of step s starts at start(t) + s * period. A task starts after
// the tasks `before` that it waits for, as in Simulate.h; but a message takes
// the time that it takes alone, and occupies no link. In a worker's list, the
// `next` task may be of an earlier or later step:
//
//   start(task) >= start(before) + duration(before) + message
//   start(next) >= start(task) + duration(task)
//                  + period * (stepOffset(task) - stepOffset(next))
//
// After its last task a worker begins its list again, for the next step: then
// `next` is the first task, and one period is subtracted on the right side.
// These are difference constraints: they have a solution if and only if no
// cycle of waits takes longer than the periods that it spans. The least period
// for which there is a solution is the time of a step when the pipeline is
// full.

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
/// (Check.h). The period is found by bisection, to 1 part in 10,000 above the
/// least one; a period for which no starts are found in a limited number of
/// passes counts as too short. `dependencies` must be those of the table, and
/// `durations` must have all its stages. A task or a message must take time.
Repetition fastestRepetition(const Dependencies& dependencies,
                             const Durations& durations);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_REPETITION_H_
