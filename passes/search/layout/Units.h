// The unit that a chain's prices are told in.
//
// A tick is a picosecond, and sums of ticks are exact up to two hours
// (Ticks.h). Steps of slow machines take days. Their links and processors are
// described in minutes, say, in place of seconds: then all that counts ticks
// counts longer ones, and a bound that meets a cost still proves. Units are
// powers of two, so that nothing is rounded by the change.

#ifndef PASSES_SEARCH_LAYOUT_UNITS_H_
#define PASSES_SEARCH_LAYOUT_UNITS_H_

#include "passes/search/layout/Chain.h"
#include "passes/search/layout/Ticks.h"

namespace sbp::search {

/// The chain, which is described in seconds, in a unit in which a step takes so
/// few ticks that sums are exact.
Chain inFittingUnit(Chain chain);

inline double secondsOf(const Chain& chain, Ticks ticks) {
  return chain.secondsPerUnit * secondsOf(ticks);
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_UNITS_H_
