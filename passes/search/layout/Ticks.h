// Time in whole picoseconds, kept in doubles.
//
// A whole number below 2^53 is exact in a double: sums up to two hours (of
// longer ones, if a chain says so: Units.h) lose no bit, whatever their order,
// so equal plans cost the same, and a bound that meets a cost proves. (Doubles
// rather than integers, since the oldest vector instructions have a minimum of
// doubles only.)

#ifndef PASSES_SEARCH_LAYOUT_TICKS_H_
#define PASSES_SEARCH_LAYOUT_TICKS_H_

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

#endif  // PASSES_SEARCH_LAYOUT_TICKS_H_
