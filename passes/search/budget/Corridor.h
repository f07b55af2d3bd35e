// The part of a chain that plans up to a given cost can pass.
//
// A search at a price per byte (PricedChain.h) bounds the cost of every plan
// through a layout, and through a crossing of a block between two layouts.
// Plans that cost at most `reach` pass only few layouts and crossings: the
// corridor. Within it, a crossing can be described by its *front*: all
// non-dominated pairs of time and bytes within reach, instead of its least
// cost.

#ifndef PASSES_SEARCH_BUDGET_CORRIDOR_H_
#define PASSES_SEARCH_BUDGET_CORRIDOR_H_

#include <cstdint>
#include <vector>

#include "passes/search/chain/Paid.h"
#include "passes/search/chain/PricedChain.h"
#include "passes/search/refinement/ExactSearch.h"

namespace sbp::search {

/// A way to cross a block, the head or the tail: from one layout to another.
struct Passage {
  static constexpr int64_t kHead = -1, kTail = -2;
  int64_t block = 0;
  Layout from = 0, to = 0;  // 0 before the head and after the tail
  /// Most that the crossing may cost: its time plus the price of its bytes.
  Ticks budget = -kNever;
  Front front;
};

/// Passages of all steps: the head, the blocks in order, the tail.
struct Corridor {
  std::vector<Passage> passages;
  /// Indices of passages, per step.
  std::vector<std::vector<int64_t>> steps;

  /// Returns the number of distinct starts of passages: pairs of block and
  /// layout.
  int64_t numStarts() const;
  /// Returns the number of passages, summed over steps.
  int64_t numPasses() const;
};

/// Returns the corridor of plans up to `reach`, without fronts. `search` must
/// have covered `reach` (ExactSearch::cover).
Corridor corridorOf(const PricedChain& priced, const ExactSearch& search,
                    Ticks reach);

/// Returns a corridor with only layouts of `plans`. Each plan is given by the
/// layouts of its residual tensors. A passage leads from a layout of some plan
/// to a layout, at the next position, of the same or another plan. Passages may
/// be out of reach.
Corridor corridorBetween(const PricedChain& priced, const ExactSearch& search,
                         const std::vector<const std::vector<Layout>*>& plans,
                         Ticks reach);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_BUDGET_CORRIDOR_H_
