// The skip around a branch, restricted to plans below a given cost.
//
// A narrow row (NarrowRows.h) of a block first follows the branch from its
// start. This leaves few layouts for its end, and for each of them a part of
// the budget for the skip.

#ifndef PASSES_SEARCH_CHAIN_NARROWSKIP_H_
#define PASSES_SEARCH_CHAIN_NARROWSKIP_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "passes/search/chain/PricedChain.h"
#include "passes/search/chain/Rows.h"
#include "passes/search/redistribution/FewLayouts.h"

namespace sbp::search {

/// Distances of the skip from all layouts to one layout, the anchor; null if
/// there is no anchor. A skip from a layout to another costs at least the
/// difference of their distances.
using SkipAnchor = std::shared_ptr<const Values>;

/// The skip of one block.
class NarrowSkip {
 public:
  /// `outside` has a lower bound per layout, at the end of the block, of the
  /// cost after it. `priced` and `moves` must outlive this object. A block
  /// without a skip ignores `anchor`.
  NarrowSkip(const PricedChain& priced, const FewMoves& moves, int64_t block,
             Values outside, SkipAnchor anchor);

  /// Adds the skip from `from` to `branch`, which has the cost of the branch
  /// from there. Returns the layouts for which this sum plus the cost outside
  /// is at most `budget`, with the sums; they do not include additions of
  /// residual tensors. Returns nullopt if more than `most` layouts matter.
  /// `skip` is scratch memory, and has the visited layouts afterwards.
  std::optional<Row> addTo(const FewValues& branch, Layout from, Ticks budget,
                           size_t most, FewValues& skip) const;

 private:
  /// Returns the distance from `layout` to the anchor; 0 without one.
  Ticks toAnchor(Layout layout) const {
    return anchor_ ? (*anchor_)[layout] : 0;
  }
  /// Returns a lower bound of the cost of a skip from `from` to `to`.
  Ticks leastSkip(Layout from, Layout to) const {
    return std::max<Ticks>(0, toAnchor(from) - toAnchor(to));
  }

  const PricedChain* priced_;
  const FewMoves* moves_;
  bool hasSkip_;
  Values outside_;
  SkipAnchor anchor_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_NARROWSKIP_H_
