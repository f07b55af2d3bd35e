// Columns of a block, restricted to plans below a given cost. A column M(., to)
// has the costs of crossing the block to one layout (Rows.h).
//
// This is the mirror image of narrow rows (NarrowRows.h). There is a lower
// bound of the cost up to every layout on the way through the branch. So from
// the end of the block the branch is followed back only while this bound plus
// the cost that is left is within the budget.

#ifndef PASSES_SEARCH_LAYOUT_NARROWCOLUMNS_H_
#define PASSES_SEARCH_LAYOUT_NARROWCOLUMNS_H_

#include <memory>
#include <optional>
#include <vector>

#include "passes/search/layout/NarrowSkip.h"
#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Rows.h"
#include "passes/search/redistribution/FewLayouts.h"

namespace sbp::search {

/// Computes narrow columns of one block.
class NarrowColumns {
 public:
  /// `coming` has a lower bound per layout of the cost up to the start of the
  /// block; `fromAnchor` has the distances of the skip from an anchor
  /// (NarrowSkip.h). `moves` must be backward. `priced` and `moves` must
  /// outlive this object.
  NarrowColumns(const PricedChain& priced, const FewMoves& moves, int64_t block,
                Values coming, SkipAnchor fromAnchor);

  /// Returns the entries of M(., to) that, with the cost up to their starts,
  /// are at most `budget`; nullopt if more than `most` layouts matter.
  std::optional<Row> column(Layout to, Ticks budget, size_t most);

  /// Returns a lower bound of an entry of M(., to) plus the cost up to its
  /// start.
  Ticks least(Layout to) const {
    return paid_.back()[to] + skip_.countedOnBranch(to) +
           priced_->addition()[to];
  }

 private:
  bool follow(Layout to, Ticks budget, size_t most);

  const PricedChain* priced_;
  const FewMoves* moves_;
  const Walk* walk_;
  NarrowSkip skip_;
  std::vector<Values> paid_;  // per leg and layout
  FewValues now_, next_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NARROWCOLUMNS_H_
