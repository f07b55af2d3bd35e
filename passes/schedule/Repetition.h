// When each task of a table runs that goes on from step to step, given how long
// tasks take.
//
// Without a flush a step does what the one before it did, so much later. Then a
// task waits as in Simulate.h, but some of what it waits for stands in its
// worker's list some rows before or behind it, and thus so many steps away:
//
//   start(task) >= start(before) + duration(before) + message
//   start(next) >= start(task) + duration(task)
//                  + every * (stepsBack(next) - stepsBack(task))
//
// with one row more from the last task of a list to its first. These are
// difference constraints: they have a solution if and only if no cycle of waits
// takes longer than the steps that it spans. The least `every` is the period of
// the schedule: the time of a step when the pipeline is full.

#ifndef PASSES_SCHEDULE_REPETITION_H_
#define PASSES_SCHEDULE_REPETITION_H_

#include <vector>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"

namespace sbp::schedule {

struct Repetition {
  double every = 0;            // from step to step
  std::vector<double> starts;  // by task, of one step; none is before 0
};

/// The fastest repetition of a table that has passed `check`, up to a part in
/// 10,000 (never faster than can be); `dependencies` are those of the table.
/// `durations` has all of its stages, and none that takes no time at all.
Repetition fastestRepetition(const Dependencies& dependencies,
                             const Durations& durations);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_REPETITION_H_
