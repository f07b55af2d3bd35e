// The least period at which something is found, by bisection from above.

#ifndef PASSES_SEARCH_ALLOCATION_DESCENDPERIODS_H_
#define PASSES_SEARCH_ALLOCATION_DESCENDPERIODS_H_

#include <algorithm>
#include <optional>

#include "passes/search/allocation/ChainProblem.h"

namespace sbp::search {

/// Part of a period to which periods are bisected before the last test.
inline constexpr double kBisected = 1e-4;

/// Calls `attempt` with periods between `low` and `high`. An attempt returns
/// the period of what it found, which is at most its argument; or nullopt. What
/// is found at a period could be found at any longer one. Something has been
/// found at `high`; nothing is to be found below `low`. Returns the least
/// period that was found. A last attempt just below it has found nothing,
/// unless that is below `low`.
template <typename Attempt>
double leastPeriodFound(double low, double high, Attempt attempt) {
  while (true) {
    const bool isLast = high - low <= kBisected * high;
    const double period =
        isLast ? high * (1 - 2 * kRounding) : (low + high) / 2;
    if (period < low) return high;
    if (const std::optional<double> found = attempt(period))
      high = std::min(*found, period);
    else if (isLast)
      return high;
    else
      low = period;
  }
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_DESCENDPERIODS_H_
