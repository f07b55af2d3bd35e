// For tests: chains of few ops and devices, all different.

#ifndef PASSES_SEARCH_LAYOUT_TESTING_RANDOMCHAIN_H_
#define PASSES_SEARCH_LAYOUT_TESTING_RANDOMCHAIN_H_

#include <random>

#include "passes/search/layout/Chain.h"

namespace sbp::search {

/// A chain on 4 to 16 devices whose prices are whole ticks before anything is
/// rounded, so that paths cost the same in whatever order.
Chain randomChain(std::mt19937_64& random);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_TESTING_RANDOMCHAIN_H_
