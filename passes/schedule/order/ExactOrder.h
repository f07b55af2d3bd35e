// Orders of tasks with a proof that no order is faster, for small problems.
//
// A depth-first search over the times at which tasks end. It looks for an order
// that ends at a given time. Whenever a worker is free, the search tries each
// task that can start, and waiting. What is left out loses no best order:
//
// - Tasks of a queue run in order (TaskGraph.h). So a state is the number of
//   tasks that each queue has begun, and what is left of the running tasks.
// - A task that could have started is not started later, unless its worker has
//   run another task since: moving it ahead changes no list.
// - A forward is not started if afterwards the micro-batches in flight could
//   not be completed one after the other (the banker's rule). None of them
//   frees memory before it has all that it needs.
// - A worker that could run a backward and waits instead starts another task
//   before the backward would have ended: else the backward fits in between,
//   and frees memory earlier.
// - Of the forwards of a worker that must start by some time, all but those for
//   which it has room now wait for backwards of any pipe.
// - If Jackson's preemptive schedule of a worker's remaining tasks ends too
//   late (OrderBounds.h), all orders do.
// - A state from which the search has failed rules out later states that are in
//   no part better (FailedStates.h). What was declined before does not count:
//   starting it earlier has failed before.

#ifndef PASSES_SCHEDULE_ORDER_EXACTORDER_H_
#define PASSES_SCHEDULE_ORDER_EXACTORDER_H_

#include <cstdint>
#include <optional>

#include "passes/schedule/order/OrderProblem.h"
#include "passes/schedule/order/TaskGraph.h"

namespace sbp::schedule {

/// Whether the exact search applies: all durations are whole numbers, and
/// messages take no time.
bool hasWholeTimes(const OrderProblem& problem, const TaskGraph& graph);

/// The answer of the exact search.
struct ExactAnswer {
  double bound = 0;            // no order has a smaller makespan
  std::optional<Table> order;  // with makespan `bound`
  int64_t states = 0;          // that were searched
};

/// Searches for an order of makespan `lower`, lower + 1, and so on, below
/// `upper`. Stops after `maxStates` states; the bound is then the first
/// makespan that is not refuted. The problem must have passed check() and have
/// whole times. `graph` is that of the problem.
ExactAnswer searchExactOrder(const TaskGraph& graph, double lower, double upper,
                             int64_t maxStates);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_EXACTORDER_H_
