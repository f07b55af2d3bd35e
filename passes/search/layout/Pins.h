// Pins: an op of some layer must have a given result layout.
//
// A pin restricts one op at one position. So a chain with pins is a chain with
// additional blocks, in which the pinned ops have one state. It is searched
// like any other chain.

#ifndef PASSES_SEARCH_LAYOUT_PINS_H_
#define PASSES_SEARCH_LAYOUT_PINS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "passes/search/layout/Chain.h"

namespace sbp::search {

/// A pin: op `op` of the block after residual tensor `position` has the result
/// `result`, a layout of the whole space (Terrain).
struct Pin {
  int64_t position = 0, op = 0;
  Layout result = 0;
};

/// An additional block: a copy of block `like` in which some ops have only one
/// result. `results` has pairs of op and result. An op with two different
/// results cannot run.
struct PinnedBlock {
  int64_t like = 0;
  std::vector<std::pair<int64_t, Layout>> results;
};

/// A chain with pins.
struct PinnedChain {
  Chain chain;
  /// The blocks that were appended to those of the chain without pins.
  std::vector<PinnedBlock> added;
};

/// Returns the chain with some pins. Layers without pins remain repetitions.
PinnedChain withPins(const Chain& chain, const std::vector<Pin>& pins);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_PINS_H_
