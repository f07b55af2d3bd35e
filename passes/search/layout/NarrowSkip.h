// The skip around a branch, as far as plans below some cost can use it.
//
// A narrow row (NarrowRows.h) or column (NarrowColumns.h) of a block follows
// the branch from one end first. Then it is known at which layouts of the other
// end the block may be left, and how much each of them leaves for the skip.

#ifndef PASSES_SEARCH_LAYOUT_NARROWSKIP_H_
#define PASSES_SEARCH_LAYOUT_NARROWSKIP_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "passes/search/layout/FewLayouts.h"
#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Rows.h"

namespace sbp::search {

class NarrowSkip {
 public:
  /// `outside` has for every layout of the other end what is paid at least
  /// beyond it; `anchor`, if there is one, distances of the skip between that
  /// end and some layout. `priced` and `moves`, those from the one end to the
  /// other, must outlive this.
  NarrowSkip(const PricedChain& priced, const FewMoves& moves, int64_t block,
             Values outside, std::shared_ptr<const Values> anchor);

  /// How far a layout is from the anchor. A skip from one to another takes no
  /// less than the first is farther from it.
  Ticks distance(Layout layout) const {
    return anchor_ ? (*anchor_)[layout] : 0;
  }
  /// What is paid outside, less these distances.
  Values outsideLessSkip() const;

  /// Adds the skip from `end` to `branch`, which has what the branch takes from
  /// there. Only layouts are left with which, and with what is outside, that is
  /// at most `budget`; nothing if more than `most` are worth a look. Additions
  /// are left out. `skip` is lent, and has those looked at.
  std::optional<Row> addTo(const FewValues& branch, Layout end, Ticks budget,
                           size_t most, FewValues& skip) const;

 private:
  const PricedChain* priced_;
  const FewMoves* moves_;
  bool hasSkip_;
  Values outside_;
  std::shared_ptr<const Values> anchor_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NARROWSKIP_H_
