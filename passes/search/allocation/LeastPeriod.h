// The least period of difference constraints: a maximum cycle ratio.
//
// A constraint says that x[to] >= x[from] + time + periods * T. For a period T
// there are starts x if no cycle of constraints has a positive sum. The least
// such T is the largest ratio of times to (negative) periods of a cycle. It is
// found from below: while there is a positive cycle, T becomes the cycle's
// ratio (Dinkelbach's method).

#ifndef PASSES_SEARCH_ALLOCATION_LEASTPERIOD_H_
#define PASSES_SEARCH_ALLOCATION_LEASTPERIOD_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace sbp::search {

/// A constraint, as described at the head of this file.
struct PeriodicConstraint {
  int64_t from = 0, to = 0;
  double time = 0;
  int64_t periods = 0;
};

/// The least period, and the earliest starts for it.
struct PeriodicStarts {
  double period = 0;
  std::vector<double> starts;  // 0 or later
};

/// Returns the least period of at least `low` that `constraints` on `count`
/// variables allow; nullopt if there is none.
std::optional<PeriodicStarts> leastPeriod(
    int64_t count, const std::vector<PeriodicConstraint>& constraints,
    double low);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_LEASTPERIOD_H_
