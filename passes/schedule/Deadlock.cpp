#include "passes/schedule/Deadlock.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace sbp::schedule {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

/// Maps each task and each worker to the first task of that worker which waits
/// for the task, or for a later task of the task's worker. Has entries only for
/// workers with a task that waits for the task's worker.
class Jumps {
 public:
  explicit Jumps(const Dependencies& dependencies)
      : dependencies_(dependencies),
        targets_(dependencies.table().numWorkers()) {
    for (int64_t task = 0; task < dependencies.numTasks(); ++task)
      for (int64_t before : dependencies.before(task))
        targets_[dependencies.workerOf(before)].push_back(
            dependencies.workerOf(task));
    int64_t size = 0;
    for (size_t worker = 0; worker < targets_.size(); ++worker) {
      std::vector<int64_t>& targets = targets_[worker];
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
      starts_.push_back(size);
      size += static_cast<int64_t>(targets.size()) *
              (dependencies.firstOf(worker + 1) - dependencies.firstOf(worker));
    }
    jumps_.assign(size, kNever);
    for (int64_t task = 0; task < dependencies.numTasks(); ++task)
      for (int64_t before : dependencies.before(task)) {
        const std::vector<int64_t>& targets = targetsOf(before);
        const int64_t target = std::lower_bound(targets.begin(), targets.end(),
                                                dependencies.workerOf(task)) -
                               targets.begin();
        int64_t& jump = jumps_[at(before, target)];
        jump = std::min(jump, task);
      }
    for (int64_t task = dependencies.numTasks() - 1; task > 0; --task) {
      const int64_t previous = dependencies.previous(task);
      if (previous < 0) continue;
      for (size_t target = 0; target < targetsOf(task).size(); ++target)
        jumps_[at(previous, target)] =
            std::min(jumps_[at(previous, target)], jumps_[at(task, target)]);
    }
  }

  const std::vector<int64_t>& targetsOf(int64_t task) const {
    return targets_[dependencies_.workerOf(task)];
  }

  /// Returns the entry of `task` for the worker targetsOf(task)[target]; kNever
  /// if no task of that worker waits.
  int64_t of(int64_t task, int64_t target) const {
    return jumps_[at(task, target)];
  }

 private:
  int64_t at(int64_t task, int64_t target) const {
    const int64_t worker = dependencies_.workerOf(task);
    return starts_[worker] +
           (task - dependencies_.firstOf(worker)) *
               static_cast<int64_t>(targets_[worker].size()) +
           target;
  }

  const Dependencies& dependencies_;
  std::vector<std::vector<int64_t>> targets_;  // by worker
  std::vector<int64_t> starts_;                // in jumps_, by worker
  std::vector<int64_t> jumps_;
};

/// Looks for a cycle through a task, breadth first.
class Search {
 public:
  explicit Search(const Dependencies& dependencies)
      : dependencies_(dependencies),
        jumps_(dependencies),
        firsts_(dependencies.table().numWorkers(), kNever) {}

  /// Returns a cycle of at most `most` waits that contains `start`, or a later
  /// task of the same worker. Empty if there is none.
  std::vector<Wait> through(int64_t start, int64_t most) {
    arrivals_ = {{start, -1}};
    const int64_t found = search(start, most);
    std::vector<Wait> cycle;
    if (found >= 0) cycle = cycleOf(found);
    for (const Arrival& arrival : arrivals_)
      firsts_[dependencies_.workerOf(arrival.task)] = kNever;
    return cycle;
  }

 private:
  /// A task that can run only after the start of the search. It waits for the
  /// task of the arrival `from`, or for a later task of that task's worker.
  struct Arrival {
    int64_t task;
    int64_t from;  // in arrivals_
  };

  /// Returns the index of the arrival that closes a cycle; -1 if there is none.
  int64_t search(int64_t start, int64_t most) {
    const int64_t worker = dependencies_.workerOf(start);
    size_t begin = 0;
    for (int64_t length = 1; length <= most; ++length) {
      const size_t end = arrivals_.size();
      for (size_t from = begin; from < end; ++from) {
        const int64_t task = arrivals_[from].task;
        const std::vector<int64_t>& targets = jumps_.targetsOf(task);
        for (size_t target = 0; target < targets.size(); ++target) {
          const int64_t waiting = jumps_.of(task, target);
          if (waiting >= firsts_[targets[target]]) continue;
          firsts_[targets[target]] = waiting;
          arrivals_.push_back({waiting, static_cast<int64_t>(from)});
          if (targets[target] == worker && waiting <= start)
            return static_cast<int64_t>(arrivals_.size()) - 1;
        }
      }
      begin = end;
    }
    return -1;
  }

  std::vector<Wait> cycleOf(int64_t found) const {
    std::vector<Wait> cycle = {{0, arrivals_[found].task}};
    for (int64_t at = found; at > 0; at = arrivals_[at].from) {
      const int64_t from = arrivals_[arrivals_[at].from].task;
      cycle.push_back({heldFor(arrivals_[at].task, from), from});
    }
    // The last element is the start of the search, which comes after the first
    // element's task in the list of their worker.
    cycle[0].held = cycle.back().held;
    cycle.pop_back();
    return cycle;
  }

  /// Returns the task for which `waiting` waits: `first`, or a later task of
  /// the same worker.
  int64_t heldFor(int64_t waiting, int64_t first) const {
    for (int64_t before : dependencies_.before(waiting))
      if (before >= first &&
          dependencies_.workerOf(before) == dependencies_.workerOf(first))
        return before;
    return first;
  }

  const Dependencies& dependencies_;
  const Jumps jumps_;
  std::vector<int64_t> firsts_;  // by worker: the earliest arrival
  std::vector<Arrival> arrivals_;
};

}  // namespace

std::vector<Wait> shortestCycle(const Dependencies& dependencies) {
  const std::vector<int64_t> order = executionOrder(dependencies);
  if (static_cast<int64_t>(order.size()) == dependencies.numTasks()) return {};
  std::vector<bool> canRun(dependencies.numTasks(), false);
  for (int64_t task : order) canRun[task] = true;
  Search search(dependencies);
  for (int64_t most = 1; most <= dependencies.table().numWorkers(); ++most)
    for (int64_t task = 0; task < dependencies.numTasks(); ++task) {
      if (canRun[task]) continue;
      std::vector<Wait> cycle = search.through(task, most);
      if (!cycle.empty()) return cycle;
    }
  assert(false && "tasks that cannot be run wait in a cycle");
  return {};
}

}  // namespace sbp::schedule
