// When each task of a table runs, given how long tasks take.
//
// Every worker goes through its list: a task starts when the one before it has
// ended and all that it waits for has arrived:
//
//   start = max(end of the task before, max over what it waits for of
//               (its end, or when its message is there from another worker))
//
// From each worker to each other one there is a link. It carries one message
// after the other, in the order in which they are sent, and each keeps it busy
// for `transfer`; `latency` later it is there.
//
//   worker 0   F0 F1
//   link          |-F0-|-F1-|
//   worker 1                 F0
//                       ^----^ latency
//
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
  double transfer = 0;  // that a message keeps a link busy
  double latency = 0;   // from worker to worker, after that

  /// Of a message that waits for no other.
  double message() const { return transfer + latency; }

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
