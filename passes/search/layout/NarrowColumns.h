// Columns of a block as far as plans below some cost can use them.
//
// The mirror of narrow rows (NarrowRows.h): what it has cost at least to come
// to any layout on the way through the branch is known, and from where the
// block ends it is followed back only where that and what is left are below the
// limit.

#ifndef PASSES_SEARCH_LAYOUT_NARROWCOLUMNS_H_
#define PASSES_SEARCH_LAYOUT_NARROWCOLUMNS_H_

#include <memory>
#include <optional>
#include <vector>

#include "passes/search/layout/FewLayouts.h"
#include "passes/search/layout/NarrowSkip.h"
#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Rows.h"

namespace sbp::search {

class NarrowColumns {
 public:
  /// `coming` has for every layout what it costs at least to come to where the
  /// block starts; `fromAnchor` distances of the skip from some layout. `moves`
  /// are those backward. `priced` and `moves` must outlive this.
  NarrowColumns(const PricedChain& priced, const FewMoves& moves, int64_t block,
                Values coming, SkipAnchor fromAnchor);

  /// The entries of M(., to) that, with what it costs to come, are at most
  /// `budget`, by where they start; nothing if more than `most` layouts are
  /// worth a look.
  std::optional<Row> column(Layout to, Ticks budget, size_t most);

  /// What entries of M(., to) and what it costs to come are at least.
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
  std::vector<Values> paid_;  // per leg, of all layouts
  FewValues now_, next_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NARROWCOLUMNS_H_
