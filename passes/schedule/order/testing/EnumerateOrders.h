// The fastest order of tasks, by enumeration of all lists of all workers.

#ifndef PASSES_SCHEDULE_ORDER_TESTING_ENUMERATEORDERS_H_
#define PASSES_SCHEDULE_ORDER_TESTING_ENUMERATEORDERS_H_

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/order/OrderProblem.h"

namespace sbp::schedule {

/// Returns the least makespan of all orders of `problem`, which must be tiny;
/// infinite if none fits. Any task may be before any other one in a list, but
/// tasks of a micro-batch that wait for one another on the worker.
inline double leastMakespan(const OrderProblem& problem) {
  auto isBefore = [](const Task& a, const Task& b) {
    const bool isForward = a.kind == Kind::Forward;
    return a.first < b.end() && b.first < a.end() &&
           ((isForward && b.kind == Kind::Forward && a.stage < b.stage) ||
            (isForward && b.kind != Kind::Forward) ||
            (a.kind == Kind::Input && b.kind == Kind::Weight &&
             a.stage == b.stage));
  };
  auto fits = [&](const std::vector<Task>& list, size_t worker) {
    double kept = 0;
    for (const Task& task : list) {
      kept += problem.acquiredBy(task);
      if (kept > problem.room[worker]) return false;
      kept -= problem.releasedBy(task);
    }
    return true;
  };
  // All lists of each worker that fit.
  std::vector<std::vector<std::vector<Task>>> all;
  for (const std::vector<Task>& tasks : problem.table.workers) {
    std::vector<std::vector<Task>>& lists = all.emplace_back();
    std::vector<int> order(tasks.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    auto extend = [&](auto& self, size_t length) -> void {
      if (length == order.size()) {
        std::vector<Task> list;
        for (int number : order) list.push_back(tasks[number]);
        if (fits(list, all.size() - 1)) lists.push_back(std::move(list));
      }
      for (size_t i = length; i < order.size(); ++i) {
        const bool canBeNext = std::none_of(
            order.begin() + static_cast<long>(length), order.end(),
            [&](int other) { return isBefore(tasks[other], tasks[order[i]]); });
        if (!canBeNext) continue;
        std::swap(order[length], order[i]);
        self(self, length + 1);
        std::swap(order[length], order[i]);
      }
    };
    extend(extend, 0);
  }
  double least = std::numeric_limits<double>::infinity();
  Table table = problem.table;
  auto choose = [&](auto& self, size_t worker) -> void {
    if (worker == all.size()) {
      const Dependencies dependencies(table);
      const auto numRun =
          static_cast<int64_t>(executionOrder(dependencies).size());
      if (numRun == dependencies.numTasks())
        least =
            std::min(least, simulate(dependencies, problem.durations).makespan);
      return;
    }
    for (const std::vector<Task>& list : all[worker]) {
      table.workers[worker] = list;
      self(self, worker + 1);
    }
  };
  choose(choose, 0);
  return least;
}

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_ORDER_TESTING_ENUMERATEORDERS_H_
