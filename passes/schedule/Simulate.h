// The times at which the tasks of a table run, given their durations.
//
// Every worker runs its list in order. A task starts when the previous task has
// ended and the results of all tasks for which it waits have arrived:
//
//   start = max(end of the previous task,
//               max over the tasks that it waits for, of their end or, if on
//                   another worker, of the arrival of the message)
//
// There is a link from each worker to each other worker. It carries one message
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

/// The durations of a stage's tasks. Reductions and updates have durations per
/// task, all other kinds per micro-batch.
struct StageTimes {
  double forward = 1;
  double backward = 2;
  double input = 1;   // backward of inputs
  double weight = 1;  // backward of weights
  double recompute = 1;
  double reduce = 0;
  double update = 0;
};

/// The durations of all tasks and messages.
struct Durations {
  std::vector<StageTimes> stages;  // by stage
  double transfer = 0;             // time for which a message occupies a link
  double latency = 0;  // from the end of the transfer to the arrival

  /// Latencies of messages between stages s and s + 1, in either direction,
  /// added to `latency`; by s. Empty if there are none.
  std::vector<double> boundaryLatencies;

  /// Returns the latency of a message between tasks of two stages.
  double latencyBetween(int64_t stage, int64_t other) const;

  /// Returns the time from the sending to the arrival of a message between
  /// tasks of two stages, if the message waits for no other message.
  double messageBetween(int64_t stage, int64_t other) const {
    return transfer + latencyBetween(stage, other);
  }

  /// Returns the duration of `task`, in proportion to its number of parts if
  /// the kind is per micro-batch.
  double of(const Table& table, const Task& task) const;
};

/// The simulated run of a table. Tasks are numbered as in its Dependencies.
struct Simulation {
  std::vector<double> starts, ends;  // by task
  std::vector<double> busy;          // by worker
  double makespan = 0;

  /// A chain of tasks from the start to the end of the run. Each task of the
  /// chain could not start earlier because it waited for the previous task of
  /// the chain.
  std::vector<int64_t> criticalPath;

  /// Returns the fraction of the makespan in which worker `worker` is idle, or
  /// the mean of these fractions over all workers. Returns 0 if the makespan is
  /// 0.
  double bubbleOf(int64_t worker) const;
  double bubble() const;
};

/// Simulates a table that has passed `check`. `durations` must have all of its
/// stages. Takes time proportional to the number of tasks and of waits.
Simulation simulate(const Dependencies& dependencies,
                    const Durations& durations);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_SIMULATE_H_
