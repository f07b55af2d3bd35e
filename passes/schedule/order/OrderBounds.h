// Lower bounds of the makespan of all orders of tasks that fit into the room.

#ifndef PASSES_SCHEDULE_ORDER_ORDERBOUNDS_H_
#define PASSES_SCHEDULE_ORDER_ORDERBOUNDS_H_

#include <algorithm>
#include <vector>

#include "passes/schedule/order/TaskGraph.h"

namespace sbp::schedule {

/// A task of a single worker, which runs at `head` at the earliest, and after
/// which the run lasts for `tail` at least.
struct WorkerTask {
  double head = 0, duration = 0, tail = 0;
};

/// The run of one worker that may interrupt tasks: whenever it is free or a
/// task arrives, it goes on with the task of the longest tail (Jackson's
/// preemptive schedule). No other run of these tasks has a smaller makespan.
class PreemptiveRun {
 public:
  /// Returns the makespan, or a number above `limit` if it is above. Sorts
  /// `tasks` by their heads.
  double makespan(std::vector<WorkerTask>& tasks, double limit);

 private:
  std::vector<WorkerTask> waiting_;  // by tails, the longest one last
};

/// Lower bounds of the makespan.
struct OrderBounds {
  /// The longest path through tasks, with the waits of queues and of memory.
  double path = 0;

  /// The largest bound of a worker by Jackson's preemptive schedule, with heads
  /// and tails from the longest paths.
  double worker = 0;

  /// The largest bound of a worker by its memory: the sum over micro-batches of
  /// the memory that each keeps, times the least time for which it is kept, is
  /// at most the room times the time. While the worker fills its room one
  /// forward at a time, and empties it one backward at a time, less of the room
  /// is in use.
  double area = 0;

  double best() const { return std::max({path, worker, area}); }
};

/// Returns the bounds of a problem that has passed check().
OrderBounds orderBoundsOf(const TaskGraph& graph);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_ORDERBOUNDS_H_
