#include "passes/schedule/Repetition.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

namespace sbp::schedule {
namespace {

/// Largest relative error of the period.
constexpr double kPrecision = 1e-4;

/// Searches for the least period by bisection; for each period, relaxes the
/// constraints until no start changes (Bellman and Ford).
class RepetitionSearch {
 public:
  RepetitionSearch(const Dependencies& dependencies, const Durations& durations)
      : dependencies_(dependencies), timesOf_(durations) {
    const Table& table = dependencies.table();
    busy_.assign(table.numWorkers(), 0);
    for (int64_t task = 0; task < dependencies.numTasks(); ++task) {
      durations_.push_back(durations.of(table, dependencies.task(task)));
      busy_[dependencies.workerOf(task)] += durations_.back();
    }
    sortTasks();
    mostPasses_ = 4 * (numOverlappedSteps(table) + 2) * table.numWorkers() + 8;
  }

  Repetition fastest() const {
    double low = 0;
    for (double busy : busy_) low = std::max(low, busy);
    // If no task takes time, messages do.
    double high = low > 0 ? low : longestMessage();
    std::optional<std::vector<double>> starts = startsOf(high);
    while (!starts) {
      low = high;
      high *= 2;
      starts = startsOf(high);
    }
    while (high - low > kPrecision * high) {
      const double middle = (low + high) / 2;
      if (auto found = startsOf(middle)) {
        starts = std::move(found);
        high = middle;
      } else {
        low = middle;
      }
    }
    return {high, *std::move(starts)};
  }

 private:
  /// Sorts tasks roughly in the order in which they start, so that few passes
  /// over them are needed.
  void sortTasks() {
    const auto timeOf = [&](int64_t task) {
      const int64_t worker = dependencies_.workerOf(task);
      const int64_t first = dependencies_.firstOf(worker);
      const int64_t count = dependencies_.firstOf(worker + 1) - first;
      return static_cast<double>(-dependencies_.task(task).stepOffset) +
             static_cast<double>(task - first) / static_cast<double>(count);
    };
    order_.resize(dependencies_.numTasks());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](int64_t a, int64_t b) {
      return std::make_pair(timeOf(a), a) < std::make_pair(timeOf(b), b);
    });
  }

  double messageBetween(int64_t from, int64_t to) const {
    return timesOf_.messageBetween(dependencies_.task(from).stage,
                                   dependencies_.task(to).stage);
  }

  /// Returns the longest message of the table.
  double longestMessage() const {
    double longest = 0;
    for (int64_t task = 0; task < dependencies_.numTasks(); ++task)
      for (int64_t before : dependencies_.before(task))
        longest = std::max(longest, messageBetween(before, task));
    return longest;
  }

  /// Returns the earliest start of `task`, given the starts of the tasks for
  /// which it waits.
  double startOf(int64_t task, const std::vector<double>& starts,
                 double period) const {
    const int64_t worker = dependencies_.workerOf(task);
    double start = starts[task];
    for (int64_t before : dependencies_.before(task)) {
      const bool isNear = dependencies_.workerOf(before) == worker;
      start = std::max(start, starts[before] + durations_[before] +
                                  (isNear ? 0 : messageBetween(before, task)));
    }
    const int64_t first = dependencies_.firstOf(worker);
    const int64_t last = dependencies_.firstOf(worker + 1) - 1;
    const int64_t previous = task == first ? last : task - 1;
    const int64_t rows = dependencies_.task(previous).stepOffset -
                         dependencies_.task(task).stepOffset -
                         (task == first ? 1 : 0);
    return std::max(start, starts[previous] + durations_[previous] +
                               period * static_cast<double>(rows));
  }

  /// Returns the starts of a repetition with this period. Returns nullopt if
  /// there is none, or if none is found in `mostPasses_` passes.
  std::optional<std::vector<double>> startsOf(double period) const {
    std::vector<double> starts(order_.size(), 0);
    for (int64_t pass = 0; pass < mostPasses_; ++pass) {
      bool hasChanged = false;
      for (int64_t task : order_) {
        const double start = startOf(task, starts, period);
        // If a cycle takes exactly the period, sums along it may differ in
        // their last bits.
        if (start <= starts[task] + 1e-12 * period) continue;
        starts[task] = start;
        hasChanged = true;
      }
      if (!hasChanged) return starts;
    }
    return std::nullopt;
  }

  const Dependencies& dependencies_;
  const Durations& timesOf_;
  std::vector<double> durations_;  // by task
  std::vector<double> busy_;       // of a step, by worker
  std::vector<int64_t> order_;     // order of tasks in a pass
  int64_t mostPasses_ = 0;
};

}  // namespace

Repetition fastestRepetition(const Dependencies& dependencies,
                             const Durations& durations) {
  return RepetitionSearch(dependencies, durations).fastest();
}

}  // namespace sbp::schedule
