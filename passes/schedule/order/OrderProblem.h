// The problem of ordering the tasks of a schedule: each worker's tasks are
// given, and the order in which it runs them is to be found.
//
//   tasks            worker 0 | 0F0 0F1 0B0 0B1    worker 1 | 1F0 1F1 1B0 1B1
//   room for 2       worker 0 | 0F0 0F1 0B0 0B1    makespan 9 for F = 1, B = 2
//                    worker 1 | 1F0 1B0 1F1 1B1
//   room for 1       worker 0 | 0F0 0B0 0F1 0B1    makespan 12
//                    worker 1 | 1F0 1B0 1F1 1B1
//
// A worker keeps memory for a micro-batch from its forward to the end of its
// backward. How much a worker keeps at once follows from its list alone, so a
// limit of memory is a limit of lists. The makespan follows from all lists, by
// simulation (Simulate.h).

#ifndef PASSES_SCHEDULE_ORDER_ORDERPROBLEM_H_
#define PASSES_SCHEDULE_ORDER_ORDERPROBLEM_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Memory that a worker keeps per micro-batch of a stage, in any unit.
struct StageMemory {
  double stash = 1;    // from the forward to the end of the last backward
  double residue = 0;  // from the backward of inputs to that of weights
};

/// The cost of an order.
struct OrderCost {
  double makespan = 0;
  std::vector<double> peaks;  // most memory that is kept at once, by worker
};

/// The problem, as described at the head of this file.
struct OrderProblem {
  /// The tasks of each worker. Their order is the one to start from; it need
  /// not fit into the room.
  Table table;
  Durations durations;
  std::vector<StageMemory> memory;  // by stage
  std::vector<double> room;         // by worker, in the unit of `memory`

  /// Fails if the table cannot be run, has no flush, has recomputations, or has
  /// updates or reductions of some micro-batches only; if a list of values has
  /// another length than the table; if a value is negative or not finite; or if
  /// a single micro-batch needs more than a worker's room.
  absl::Status check() const;

  /// Returns the cost of `order`. Fails if `order` cannot be run, has other
  /// tasks than `table` on a worker, or keeps more than a worker's room. The
  /// problem must have passed check().
  absl::StatusOr<OrderCost> verify(const Table& order) const;

  /// Returns the most memory that each worker keeps at once in `order`, which
  /// need not fit into the room.
  std::vector<double> peaksOf(const Table& order) const;

  /// Returns the memory that `task` begins to keep when it starts, and the
  /// memory that it frees when it ends.
  double acquiredBy(const Task& task) const;
  double releasedBy(const Task& task) const;

  /// Returns a worker's room, and a little more: sums may differ by rounding if
  /// they are added in another order.
  double roomOf(int64_t worker) const { return room[worker] * (1 + 1e-12); }
};

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_ORDERPROBLEM_H_
