// The unit of time of a chain's prices.
//
// A tick is a picosecond, and sums of ticks are exact up to two hours
// (Ticks.h). Steps of slow machines take days. Their links and processors are
// described in a longer unit than a second, such as a minute. All ticks are
// then longer, and a bound that meets a cost is still a proof. Units are powers
// of two, so that the change of unit rounds nothing.

#ifndef PASSES_SEARCH_CHAIN_UNITS_H_
#define PASSES_SEARCH_CHAIN_UNITS_H_

#include "passes/search/chain/Chain.h"
#include "passes/search/redistribution/Ticks.h"

namespace sbp::search {

/// Returns `chain` in a unit in which a step takes so few ticks that sums are
/// exact. `chain` must be described in seconds.
Chain inFittingUnit(Chain chain);

/// Returns the seconds of `ticks` in the unit of `chain`.
inline double secondsOf(const Chain& chain, Ticks ticks) {
  return chain.secondsPerUnit * secondsOf(ticks);
}

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_UNITS_H_
