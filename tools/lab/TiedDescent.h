// Coordinate descent over plans in which all layers are alike, as a comparison
// for the exact search.
//
// From a random start, one op or residual tensor after the other gets its best
// layout while the others stay, until nothing changes; then it starts again.
// Two sweeps over all layouts (Redistribution.h), one from each neighbour, find
// the best layout of one op or tensor. So each choice is the best of all
// layouts, not of a sample.

#ifndef TOOLS_LAB_TIEDDESCENT_H_
#define TOOLS_LAB_TIEDDESCENT_H_

#include <cstdint>

#include "passes/search/chain/PricedChain.h"

namespace sbp::search {

/// Returns the least cost that `descents` descents find, by counts of axes. The
/// body of the chain must be one repetition.
Ticks descendTied(const PricedChain& priced, int64_t descents, uint64_t seed);

}  // namespace sbp::search

#endif  // TOOLS_LAB_TIEDDESCENT_H_
