// When each task of a table runs, given how long tasks take.
//
// Every worker runs its list in order: a task starts when the one before it has
// ended and everything that it waits for has arrived:
//
//   start = max(end of the task before,
//               max over the tasks that it waits for of their end, or, from
//                   another worker, of the arrival of the message)
//
// There is a link from each worker to each other one. It carries one message
// after the other, in the order in which they are sent. A message occupies the
// link for `transfer`, and arrives `latency` later.
//
//   worker 0   F0 F1
//   link          |-F0-|-F1-|
//   worker 1                 F0
//                       ^----^ latency
//
// All times are in the unit in which the caller gives durations.

#ifndef PASSES_SCHEDULE_SIMULATE_H_
#define PASSES_SCHEDULE_SIMULATE_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// The durations of a stage's tasks. Those of reductions and updates are per
/// task, the others per micro-batch.
struct StageTimes {
  double forward = 1;
  double backward = 2;
  double input = 1;
  double weight = 1;
  double recompute = 1;
  double reduce = 0;
  double update = 0;
};

/// The durations of all tasks and messages.
struct Durations {
  std::vector<StageTimes> stages;  // by stage
  double transfer = 0;             // time for which a message occupies a link
  double latency = 0;  // from the end of the transfer to the arrival

  /// Returns the time of a message that waits for no other one.
  double message() const { return transfer + latency; }

  /// Returns the duration of `task`, which may be for some parts of a
  /// micro-batch.
  double of(const Table& table, const Task& task) const;
};

/// The simulated run of a table. Tasks are numbered as in its Dependencies.
struct Simulation {
  std::vector<double> starts, ends;  // by task
  std::vector<double> busy;          // by worker
  double makespan = 0;

  /// A chain of tasks from the start to the end of the run. Each task of the
  /// chain could not start earlier because it waited for the one before it.
  std::vector<int64_t> criticalPath;

  /// Returns the fraction of the makespan for which worker `worker`, or the
  /// average worker, is idle; 0 if the makespan is 0.
  double bubbleOf(int64_t worker) const;
  double bubble() const;
};

/// Simulates a table that has passed `check`; `durations` has all of its
/// stages. Takes time in proportion to the number of tasks and of waits.
Simulation simulate(const Dependencies& dependencies,
                    const Durations& durations);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_SIMULATE_H_
