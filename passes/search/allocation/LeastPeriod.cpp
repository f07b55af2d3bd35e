#include "passes/search/allocation/LeastPeriod.h"

#include <algorithm>

namespace sbp::search {
namespace {

/// Part of a period by which a start has to move to count as later.
constexpr double kNoticed = 1e-12;

/// The sums of a cycle of constraints.
struct Cycle {
  double time = 0;
  int64_t periods = 0;
};

/// Finds starts for one period, or a cycle of constraints that forbids it.
class Relaxation {
 public:
  Relaxation(int64_t count, const std::vector<PeriodicConstraint>& constraints)
      : constraints_(constraints), starts_(count), causes_(count) {}

  /// Returns a positive cycle; nullopt if there are starts.
  std::optional<Cycle> run(double period) {
    std::fill(starts_.begin(), starts_.end(), 0.0);
    std::fill(causes_.begin(), causes_.end(), -1);
    const auto count = static_cast<int64_t>(starts_.size());
    for (int64_t round = 0;; ++round) {
      bool isChanged = false;
      for (size_t i = 0; i < constraints_.size(); ++i) {
        const auto& [from, to, time, periods] = constraints_[i];
        const double start =
            starts_[from] + time + static_cast<double>(periods) * period;
        if (start <= starts_[to] + kNoticed * period) continue;
        starts_[to] = start;
        causes_[to] = static_cast<int64_t>(i);
        isChanged = true;
      }
      if (!isChanged) return std::nullopt;
      // Causes may close a cycle long before all rounds are done.
      if (round % 8 == 7 || round > count)
        if (std::optional<Cycle> cycle = cycleOfCauses()) return cycle;
    }
  }

  const std::vector<double>& starts() const { return starts_; }

 private:
  std::optional<Cycle> cycleOfCauses() const {
    const auto count = static_cast<int64_t>(starts_.size());
    std::vector<int64_t> seenFrom(count, -1);
    for (int64_t first = 0; first < count; ++first) {
      int64_t at = first;
      while (at >= 0 && seenFrom[at] < 0) {
        seenFrom[at] = first;
        at = causes_[at] < 0 ? -1 : constraints_[causes_[at]].from;
      }
      if (at < 0 || seenFrom[at] != first) continue;
      Cycle cycle;
      int64_t next = at;
      do {
        const PeriodicConstraint& cause = constraints_[causes_[next]];
        cycle.time += cause.time;
        cycle.periods += cause.periods;
        next = cause.from;
      } while (next != at);
      return cycle;
    }
    return std::nullopt;
  }

  const std::vector<PeriodicConstraint>& constraints_;
  std::vector<double> starts_;
  std::vector<int64_t> causes_;  // by variable: index of a constraint, or -1
};

}  // namespace

std::optional<PeriodicStarts> leastPeriod(
    int64_t count, const std::vector<PeriodicConstraint>& constraints,
    double low) {
  Relaxation relaxation(count, constraints);
  double period = low;
  while (const std::optional<Cycle> cycle = relaxation.run(period)) {
    // A longer period helps only if the cycle spans a negative number of them.
    if (cycle->periods >= 0) return std::nullopt;
    const double ratio = cycle->time / static_cast<double>(-cycle->periods);
    // A cycle whose sum is positive by rounding only.
    period = std::max(ratio, period * (1 + kNoticed));
  }
  return PeriodicStarts{period, relaxation.starts()};
}

}  // namespace sbp::search
