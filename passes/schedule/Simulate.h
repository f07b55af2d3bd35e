// When each task of a table runs, given how long tasks take.
//
// Every worker goes through its list: a task starts when the one before it has
// ended and all that it waits for has arrived, which takes `latency` from other
// workers:
//
//   start = max(end of the task before, max over what it waits for of
//               (its end + (latency if it is on another worker)))
//
// Links are not a resource: as many transfers as want to be are under way.
// Units are the caller's: everything is in those in which durations are given.

#ifndef PASSES_SCHEDULE_SIMULATE_H_
#define PASSES_SCHEDULE_SIMULATE_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// How long the tasks of a stage take for a whole micro-batch; reductions and
/// updates, as often as they are in the table.
struct StageTimes {
  double forward = 1;
  double backward = 2;
  double input = 1;
  double weight = 1;
  double recompute = 1;
  double reduce = 0;
  double update = 0;
};

struct Durations {
  std::vector<StageTimes> stages;
  double latency = 0;  // from worker to worker

  double of(const Table& table, const Task& task) const;
};

/// A run of a table, with the numbers of tasks as in its Dependencies.
struct Simulation {
  std::vector<double> starts, ends;  // by task
  std::vector<double> busy;          // by worker
  double makespan = 0;

  /// Tasks from the start to the end of the run, each of which starts as late
  /// as it does because of the one before.
  std::vector<int64_t> criticalPath;

  /// The share of the time of worker `worker`, of all together, that is idle.
  double bubbleOf(int64_t worker) const;
  double bubble() const;
};

/// Runs a table that has passed `check`; `durations` has all of its stages.
/// Takes time in proportion to tasks and what they wait for.
Simulation simulate(const Dependencies& dependencies,
                    const Durations& durations);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_SIMULATE_H_
