#include "passes/schedule/Repetition.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

namespace sbp::schedule {
namespace {

/// How close to the fastest one the repetition is that is given.
constexpr double kPrecision = 1e-4;

class Repeater {
 public:
  Repeater(const Dependencies& dependencies, const Durations& durations)
      : dependencies_(dependencies), message_(durations.message()) {
    const Table& table = dependencies.table();
    busy_.assign(table.numWorkers(), 0);
    for (int64_t task = 0; task < dependencies.numTasks(); ++task) {
      durations_.push_back(durations.of(table, dependencies.task(task)));
      busy_[dependencies.workerOf(task)] += durations_.back();
    }
    sortTasks();
    mostPasses_ = 4 * (mostStepsBack(table) + 2) * table.numWorkers() + 8;
  }

  Repetition fastest() const {
    double low = 0;
    for (double busy : busy_) low = std::max(low, busy);
    double high = low;
    std::optional<std::vector<double>> starts = startsEvery(high);
    while (!starts) {
      low = high;
      high *= 2;
      starts = startsEvery(high);
    }
    while (high - low > kPrecision * high) {
      const double middle = (low + high) / 2;
      if (auto found = startsEvery(middle)) {
        starts = std::move(found);
        high = middle;
      } else {
        low = middle;
      }
    }
    return {high, *std::move(starts)};
  }

 private:
  /// Sorts tasks about as they start, so that few passes show all.
  void sortTasks() {
    const auto placeOf = [&](int64_t task) {
      const int64_t worker = dependencies_.workerOf(task);
      const int64_t first = dependencies_.firstOf(worker);
      const int64_t count = dependencies_.firstOf(worker + 1) - first;
      return static_cast<double>(dependencies_.task(task).stepsBack) +
             static_cast<double>(task - first) / static_cast<double>(count);
    };
    order_.resize(dependencies_.numTasks());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](int64_t a, int64_t b) {
      return std::make_pair(placeOf(a), a) < std::make_pair(placeOf(b), b);
    });
  }

  /// The earliest start of `task`, given those of what it waits for.
  double startOf(int64_t task, const std::vector<double>& starts,
                 double every) const {
    const int64_t worker = dependencies_.workerOf(task);
    double start = starts[task];
    for (int64_t before : dependencies_.before(task)) {
      const bool isNear = dependencies_.workerOf(before) == worker;
      start = std::max(
          start, starts[before] + durations_[before] + (isNear ? 0 : message_));
    }
    const int64_t first = dependencies_.firstOf(worker);
    const int64_t last = dependencies_.firstOf(worker + 1) - 1;
    const int64_t previous = task == first ? last : task - 1;
    const int64_t rows = dependencies_.task(task).stepsBack -
                         dependencies_.task(previous).stepsBack -
                         (task == first ? 1 : 0);
    return std::max(start, starts[previous] + durations_[previous] +
                               every * static_cast<double>(rows));
  }

  /// Starts of a repetition; none if there is none, or none was found.
  std::optional<std::vector<double>> startsEvery(double every) const {
    std::vector<double> starts(order_.size(), 0);
    for (int64_t pass = 0; pass < mostPasses_; ++pass) {
      bool hasChanged = false;
      for (int64_t task : order_) {
        const double start = startOf(task, starts, every);
        // Sums along a cycle that is just fast enough may differ in last bits.
        if (start <= starts[task] + 1e-12 * every) continue;
        starts[task] = start;
        hasChanged = true;
      }
      if (!hasChanged) return starts;
    }
    return std::nullopt;
  }

  const Dependencies& dependencies_;
  double message_;
  std::vector<double> durations_;  // by task
  std::vector<double> busy_;       // by worker, in a step
  std::vector<int64_t> order_;     // tasks
  int64_t mostPasses_ = 0;
};

}  // namespace

Repetition fastestRepetition(const Dependencies& dependencies,
                             const Durations& durations) {
  return Repeater(dependencies, durations).fastest();
}

}  // namespace sbp::schedule
