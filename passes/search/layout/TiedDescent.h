// Coordinate descent over plans in which all layers are alike: what the exact
// search is compared with.
//
// From a random start, one op or residual tensor after the other is given its
// best layout while the others stay, until nothing changes; then it begins
// again elsewhere. One coordinate takes two sweeps, one from each neighbour, so
// every choice is the best of all layouts, not of a sample.

#ifndef PASSES_SEARCH_LAYOUT_TIEDDESCENT_H_
#define PASSES_SEARCH_LAYOUT_TIEDDESCENT_H_

#include <cstdint>

#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// The least cost that so many descents find; of counts of axes. The body of
/// the chain is one repetition.
Ticks descendTied(const PricedChain& priced, int64_t descents, uint64_t seed);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_TIEDDESCENT_H_
