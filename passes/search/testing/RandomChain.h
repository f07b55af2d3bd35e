// Random chains of few ops and devices, for tests.

#ifndef PASSES_SEARCH_TESTING_RANDOMCHAIN_H_
#define PASSES_SEARCH_TESTING_RANDOMCHAIN_H_

#include <random>

#include "passes/search/chain/Chain.h"

namespace sbp::search {

/// Returns a chain on 4 to 16 devices whose prices are whole ticks without
/// rounding, so that the cost of a path does not depend on the order of
/// additions.
Chain randomChain(std::mt19937_64& random);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_TESTING_RANDOMCHAIN_H_
