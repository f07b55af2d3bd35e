// The least delay between the forward and the backward of a stage: the theory
// of 1F1B* (MadPipe, sections 4.1 and 4.2.2).
//
// The delay of a stage, or of a cut, is the time from the start of its forward
// to the end of its backward for the same micro-batch. In a pattern of period
// T, a stage with a delay in ((g - 1) T, g T] has g micro-batches in flight.
// Its forward and its backward take `time` together, and occupy one resource.
// So no delay of the stage is in (g T, g T + time), for any g. If everything
// after the stage has the delay V, its own is at least
//
//   V + time            if that is in flight as often as V,
//   g T + time          otherwise, where V has g in flight.
//
// This holds for any allocation. For a contiguous one, all stages attain it at
// once (proposition 1).

#ifndef PASSES_SEARCH_ALLOCATION_DELAY_H_
#define PASSES_SEARCH_ALLOCATION_DELAY_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "passes/search/allocation/ChainProblem.h"

namespace sbp::search {

/// Returns the number of micro-batches in flight with `delay`; 0 for a delay of
/// 0, which is that of the end of the chain.
inline double inFlightOf(double delay, double period) {
  return std::ceil(delay / period - kRounding);
}

/// Returns the least delay of a stage, or of a cut, that takes `time`, if what
/// comes after it has the delay `after`. The result is not decreasing in
/// `after`.
inline double delayBefore(double after, double time, double period) {
  const double groups = inFlightOf(after, period);
  if (after + time <= (groups + kRounding) * period) return after + time;
  return groups * period + time;
}

/// Returns the number of micro-batches that a stage of `delay` has in flight.
inline double stashesOf(double delay, double period) {
  return std::max(1.0, inFlightOf(delay, period));
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_DELAY_H_
