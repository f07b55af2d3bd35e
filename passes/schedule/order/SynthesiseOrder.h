// Finds a good order of a schedule's tasks, and how much better another could
// be.

#ifndef PASSES_SCHEDULE_ORDER_SYNTHESISEORDER_H_
#define PASSES_SCHEDULE_ORDER_SYNTHESISEORDER_H_

#include <cstdint>
#include <optional>

#include "passes/schedule/order/AnnealedOrder.h"
#include "passes/schedule/order/OrderProblem.h"

namespace sbp::schedule {

/// The constants of synthesiseOrder. All count work, never time, so that equal
/// problems have equal answers.
struct SynthesisTuning {
  AnnealingTuning annealing;
  /// Number of annealings, each with a seed of its own. They share the
  /// evaluations.
  int64_t restarts = 4;
  /// Largest number of states of the exact search. Larger numbers prove more,
  /// and take longer, and some 300 bytes each.
  int64_t maxStates = 400000;
  /// Largest number of tasks with which an exact search is tried. Searches of
  /// more tasks would end without an answer.
  int64_t maxExactTasks = 320;
};

/// An order, and a bound of all orders.
struct SynthesisedOrder {
  /// None if none was found that fits.
  std::optional<Table> order;
  OrderCost cost;           // of the order
  double bound = 0;         // no order has a smaller makespan
  int64_t evaluations = 0;  // of annealing
  int64_t states = 0;       // of the exact search

  /// Whether no order has a smaller makespan.
  bool isProven() const { return order && cost.makespan <= bound * (1 + 1e-9); }
  /// Returns (makespan - bound) / makespan; 0 without an order.
  double gap() const;
};

/// Orders the tasks of `problem`, which must have passed check(). Starts from
/// its table and from list schedules that fit. If times are whole numbers and
/// tasks are few, improves them a little by annealing and searches all faster
/// orders. If that does not prove an order to be the fastest, annealing goes
/// on. The answer is never worse than the problem's table, if that fits.
SynthesisedOrder synthesiseOrder(const OrderProblem& problem,
                                 const SynthesisTuning& tuning = {});

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_SYNTHESISEORDER_H_
