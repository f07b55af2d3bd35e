// Better lists by simulated annealing, for problems of any size.
//
// A step follows a random critical path back from the end of the run, and moves
// a task of it ahead of tasks of the same worker that it waited for only
// because the worker was busy. Lists that do not fit into the room, or that
// wait in a cycle, are refused. A step that makes the run longer by d is taken
// with probability exp(-d / t), where the temperature t falls.

#ifndef PASSES_SCHEDULE_ORDER_ANNEALEDORDER_H_
#define PASSES_SCHEDULE_ORDER_ANNEALEDORDER_H_

#include <cstdint>

#include "passes/schedule/order/ListScheduling.h"
#include "passes/schedule/order/TaskGraph.h"

namespace sbp::schedule {

/// The constants of annealing.
struct AnnealingTuning {
  uint64_t seed = 1;
  /// Number of lists that are timed. More find better ones, and take longer:
  /// about 20 ns per list and task.
  int64_t evaluations = 200000;
  /// First and last temperature, in mean durations of a task. Higher ones leave
  /// more local optima, and improve fewer.
  double firstTemperature = 0.2, lastTemperature = 0.02;
  /// Most tasks that one step moves a task ahead of. More change lists faster,
  /// and are refused more often.
  int64_t maxSkipped = 4;
  /// One in this number of moves is of any task, and not of one on a critical
  /// path. A smaller number finds more in tight memory, and less elsewhere.
  int64_t otherMoves = 4;
};

/// Lists and the makespan of their run if no message waits for another one.
struct TimedLists {
  TaskLists lists;
  double makespan = 0;
  int64_t evaluations = 0;
};

/// Returns the best lists that annealing finds from `lists` on, which must fit
/// and be without a cycle. Stops when a makespan of `bound` is reached.
TimedLists anneal(const TaskGraph& graph, const TaskLists& lists, double bound,
                  const AnnealingTuning& tuning);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_ANNEALEDORDER_H_
