// Pins: that some op of some layer runs in a given way.
//
// A pin is a restriction of one op at one place. So a chain with pins is a
// chain with some blocks more, each like another but for ops that have one
// state left, and everything that searches a chain searches it.

#ifndef PASSES_SEARCH_LAYOUT_PINS_H_
#define PASSES_SEARCH_LAYOUT_PINS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "passes/search/layout/Chain.h"

namespace sbp::search {

/// Op `op` of the block behind residual tensor `position` has the result
/// `result`, a layout of the whole space.
struct Pin {
  int64_t position = 0, op = 0;
  Layout result = 0;
};

/// A block that was added: like another, but for ops with these results. If an
/// op has two, it cannot run.
struct PinnedBlock {
  int64_t like = 0;
  std::vector<std::pair<int64_t, Layout>> results;
};

struct PinnedChain {
  Chain chain;
  /// The blocks behind those of the chain without pins.
  std::vector<PinnedBlock> added;
};

/// The chain with some pins. Layers without remain repetitions.
PinnedChain withPins(const Chain& chain, const std::vector<Pin>& pins);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_PINS_H_
