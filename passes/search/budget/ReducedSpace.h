// The part of a chain that plans up to a given cost can pass.
//
// A search at a price per byte (PricedChain.h) bounds the cost of every plan
// through a layout, and through a transition of a block between two layouts.
// Plans that cost at most `threshold` pass only few layouts and transitions:
// the reduced space. Within it, a transition can be described by its *front*:
// all non-dominated pairs of time and bytes below the threshold, instead of its
// least cost.

#ifndef PASSES_SEARCH_BUDGET_REDUCEDSPACE_H_
#define PASSES_SEARCH_BUDGET_REDUCEDSPACE_H_

#include <cstdint>
#include <vector>

#include "passes/search/chain/Paid.h"
#include "passes/search/chain/PricedChain.h"
#include "passes/search/refinement/ExactSearch.h"

namespace sbp::search {

/// An arc: a way through a block, the head or the tail, from one layout to
/// another.
struct Arc {
  static constexpr int64_t kHead = -1, kTail = -2;
  int64_t block = 0;
  Layout from = 0, to = 0;  // 0 before the head and after the tail
  /// Most that the transition may cost: its time plus the price of its bytes.
  Ticks budget = -kNever;
  Front front;
};

/// Arcs of all steps: the head, the blocks in order, the tail.
struct ReducedSpace {
  std::vector<Arc> arcs;
  /// Indices of arcs, per step.
  std::vector<std::vector<int64_t>> steps;

  /// Returns the number of distinct starts of arcs: pairs of block and layout.
  int64_t numStarts() const;
  /// Returns the number of arcs, summed over steps.
  int64_t numPasses() const;
};

/// Returns the reduced space of plans up to `threshold`, without fronts.
/// `search` must have covered `threshold` (ExactSearch::cover).
ReducedSpace reducedSpaceOf(const PricedChain& priced,
                            const ExactSearch& search, Ticks threshold);

/// Returns a reduced space with only layouts of `plans`. Each plan is given by
/// the layouts of its residual tensors. An arc leads from a layout of some plan
/// to a layout, at the next position, of the same or another plan. Arcs may
/// be above the threshold.
ReducedSpace reducedSpaceBetween(
    const PricedChain& priced, const ExactSearch& search,
    const std::vector<const std::vector<Layout>*>& plans, Ticks threshold);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_BUDGET_REDUCEDSPACE_H_
