// Time in whole picoseconds (ticks), stored in doubles.
//
// An integer below 2^53 is exact in a double. So sums up to two hours (or more,
// if a chain has a longer unit: Units.h) lose no bit, in any order. Equal plans
// have equal costs, and a bound that meets a cost is a proof. (Doubles are used
// because the oldest vector instructions have a minimum of doubles, but not of
// integers.)

#ifndef PASSES_SEARCH_REDISTRIBUTION_TICKS_H_
#define PASSES_SEARCH_REDISTRIBUTION_TICKS_H_

#include <cmath>
#include <limits>

namespace sbp::search {

using Ticks = double;
inline constexpr double kTicksPerSecond = 1e12;
inline constexpr Ticks kNever = std::numeric_limits<Ticks>::infinity();

inline Ticks ticksOf(double seconds) {
  return std::rint(seconds * kTicksPerSecond);
}
inline double secondsOf(Ticks ticks) { return ticks / kTicksPerSecond; }

}  // namespace sbp::search

#endif  // PASSES_SEARCH_REDISTRIBUTION_TICKS_H_
