// What one pin would cost: that an op of one layer runs in a given way.
//
// A pinned op cuts its block. With what the network before costs, forward(x),
// and behind, backward(y), the cheapest plan through the state s costs
//
//   least over y of  skip-distance of (forward + branch up to s) to y
//                    + s + branch from s to y + backward(y)
//
// for the layout x before the block only matters through the skip, and that is
// one sweep. Forward and backward are those that the search has left (they are
// exact where it has computed rows, else bounds), so this is a bound from
// below. With what plans through layouts with rows cost in their place, it is a
// cost that is attained. If both are equal, as they mostly are, that is the
// price of the pin; else both are told.
//
// Prices are of counts of axes: around the pinned block they may promise what
// placements do not keep.

#ifndef PASSES_SEARCH_LAYOUT_WHATIF_H_
#define PASSES_SEARCH_LAYOUT_WHATIF_H_

#include <map>
#include <vector>

#include "passes/search/layout/ExactSearch.h"

namespace sbp::search {

struct PinAnswer {
  Ticks lowerBound = kNever;  // kNever: the op cannot run like that
  Ticks cost = kNever;        // of a plan
  bool isExact() const { return lowerBound == cost; }
};

class WhatIf {
 public:
  /// Starts from a search that has been solved. Both must outlive this.
  WhatIf(const PricedChain& priced, ExactSearch& search);

  /// The cheapest plan in which op `op` of the block behind residual tensor
  /// `position` has the result `result`, a layout of the whole space.
  PinAnswer pin(int64_t position, int64_t op, Layout result);

 private:
  /// What it costs exactly to come to a layout, or to go on from one, by plans
  /// through layouts with rows.
  Ticks costTo(int64_t position, Layout layout) const;
  Values costsTo(int64_t position) const;
  Ticks costFrom(int64_t position, Layout layout);
  /// Values at one end of a block's skip, carried to the other end.
  Values pastBranch(const Walk& walk, Values values) const;
  const Row& rowOf(int64_t block, Layout from);

  const PricedChain* priced_;
  ExactSearch* search_;
  Values head_, tail_;
  // Per position and layout with a row for the block there.
  std::vector<std::map<Layout, Ticks>> to_, from_;
  std::map<std::pair<int64_t, Layout>, Row> newRows_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_WHATIF_H_
