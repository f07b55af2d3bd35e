// The makespan of the fastest order, by dynamic programming over all states of
// a run, without any rule that leaves orders out.

#ifndef PASSES_SCHEDULE_ORDER_TESTING_LEASTBYSTATES_H_
#define PASSES_SCHEDULE_ORDER_TESTING_LEASTBYSTATES_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "passes/schedule/order/OrderProblem.h"
#include "passes/schedule/order/TaskGraph.h"

namespace sbp::schedule {

/// Finds the least makespan of problems with whole durations and without
/// messages, in which tasks of a queue run in order.
class LeastByStates {
 public:
  explicit LeastByStates(const OrderProblem& problem)
      : graph_(problem),
        begun_(graph_.queues().size(), 0),
        left_(graph_.numWorkers(), 0),
        running_(graph_.numWorkers(), -1),
        used_(graph_.numWorkers(), 0),
        isDone_(graph_.numTasks(), false) {}

  /// Returns the least makespan; infinite if no order fits.
  double find() { return fromHere(); }
  size_t numStates() const { return known_.size(); }

 private:
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();

  /// Returns the least time from the present state to the end. Free workers may
  /// start tasks, or wait for the next end of a task.
  double fromHere() {
    std::vector<int64_t> key = begun_;
    key.insert(key.end(), left_.begin(), left_.end());
    // Which task runs follows from `begun` only if it is known how they ended.
    key.insert(key.end(), running_.begin(), running_.end());
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    double least = kInfinite;
    if (std::all_of(isDone_.begin(), isDone_.end(),
                    [](bool isDone) { return isDone; }))
      least = 0;
    else
      least = startFrom(0);
    known_[key] = least;
    return least;
  }

  double startFrom(int64_t worker) {
    while (worker < graph_.numWorkers() && running_[worker] >= 0) ++worker;
    if (worker == graph_.numWorkers()) return advance();
    double least = startFrom(worker + 1);  // the worker waits
    for (int64_t queue : graph_.queuesOfWorker(worker)) {
      const std::vector<int64_t>& tasks = graph_.queues()[queue].tasks;
      if (begun_[queue] == static_cast<int64_t>(tasks.size())) continue;
      const int64_t task = tasks[begun_[queue]];
      const bool isReady =
          std::all_of(graph_.before(task).begin(), graph_.before(task).end(),
                      [&](const Arc& arc) { return isDone_[arc.task]; });
      if (!isReady ||
          used_[worker] + graph_.acquired(task) > graph_.roomOf(worker))
        continue;
      ++begun_[queue];
      running_[worker] = task;
      left_[worker] = static_cast<int64_t>(graph_.durationOf(task));
      used_[worker] += graph_.acquired(task);
      least = std::min(least, startFrom(worker + 1));
      used_[worker] -= graph_.acquired(task);
      left_[worker] = 0;
      running_[worker] = -1;
      --begun_[queue];
    }
    return least;
  }

  double advance() {
    int64_t step = std::numeric_limits<int64_t>::max();
    for (int64_t worker = 0; worker < graph_.numWorkers(); ++worker)
      if (running_[worker] >= 0) step = std::min(step, left_[worker]);
    if (step == std::numeric_limits<int64_t>::max()) return kInfinite;
    const auto left = left_, running = running_;
    const auto used = used_;
    const auto isDone = isDone_;
    for (int64_t worker = 0; worker < graph_.numWorkers(); ++worker) {
      if (running_[worker] < 0 || (left_[worker] -= step) > 0) continue;
      isDone_[running_[worker]] = true;
      used_[worker] -= graph_.released(running_[worker]);
      running_[worker] = -1;
    }
    const double least = static_cast<double>(step) + fromHere();
    left_ = left;
    running_ = running;
    used_ = used;
    isDone_ = isDone;
    return least;
  }

  TaskGraph graph_;
  std::vector<int64_t> begun_, left_, running_;
  std::vector<double> used_;
  std::vector<bool> isDone_;
  std::map<std::vector<int64_t>, double> known_;
};

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_TESTING_LEASTBYSTATES_H_
