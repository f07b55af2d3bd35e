// What plans up to some cost may pass, and at which times and bytes.
//
// A search at a price per byte (PricedChain.h) bounds what every plan through
// a layout, and through a crossing of a block between two layouts, costs. Of
// plans of which not more than `reach` is wanted to be known, only few layouts
// and crossings are left: a corridor. In it it pays to know more of a crossing
// than its least cost: all pairs of time and bytes, its *front*, as far as they
// are within reach.

#ifndef PASSES_SEARCH_LAYOUT_CORRIDOR_H_
#define PASSES_SEARCH_LAYOUT_CORRIDOR_H_

#include <cstdint>
#include <vector>

#include "passes/search/layout/ExactSearch.h"
#include "passes/search/layout/Paid.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// A way that a plan may take past a block, the head or the tail.
struct Passage {
  static constexpr int64_t kHead = -1, kTail = -2;
  int64_t block = 0;
  Layout from = 0, to = 0;  // 0 before the head and behind the tail
  /// What it may cost, by time and the price for bytes.
  Ticks budget = -kNever;
  Front front;
};

/// Steps: the head, the blocks in order, the tail.
struct Corridor {
  std::vector<Passage> passages;
  /// Per step, indices of passages.
  std::vector<std::vector<int64_t>> steps;

  /// How many layouts passages of a block start from.
  int64_t numStarts() const;
  /// How many passages there are at all steps.
  int64_t numPasses() const;
};

/// The corridor of plans up to `reach`, without fronts, after the search has
/// covered it.
Corridor corridorOf(const PricedChain& priced, const ExactSearch& search,
                    Ticks reach);

/// Of that corridor only what leads from a layout that some plan passes to one
/// that the same or another one passes next; plans are given by their residual
/// tensors. It is not asked whether such passages are within reach.
Corridor corridorBetween(const PricedChain& priced, const ExactSearch& search,
                         const std::vector<const std::vector<Layout>*>& plans,
                         Ticks reach);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_CORRIDOR_H_
