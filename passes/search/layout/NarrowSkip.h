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

/// Distances of the skip between every layout and one of them, if any. A skip
/// from one to another takes no less than the first is farther from it.
struct SkipAnchor {
  std::shared_ptr<const Values> distances;
  /// Whether that counts where the branch is followed too. Bounds of what the
  /// branch has left are then those of branch and skip together, and higher
  /// where both lead far from here; but lower where the skip does not.
  bool isCountedOnBranch = false;
};

class NarrowSkip {
 public:
  /// `outside` has for every layout of the other end what is paid at least
  /// beyond it. `priced` and `moves`, those from the one end to the other, must
  /// outlive this.
  NarrowSkip(const PricedChain& priced, const FewMoves& moves, int64_t block,
             Values outside, SkipAnchor anchor);

  /// What is paid outside, and what of the skip is counted where the branch is
  /// followed: of that, what belongs to its end. They add up to no more than
  /// the branch may leave.
  Values outsideOfBranch() const;
  Ticks countedOnBranch(Layout end) const {
    return anchor_.isCountedOnBranch ? distance(end) : 0;
  }

  /// Adds the skip from `end` to `branch`, which has what the branch takes from
  /// there. Only layouts are left with which, and with what is outside, that is
  /// at most `budget`; nothing if more than `most` are worth a look. Additions
  /// are left out. `skip` is lent, and has those looked at.
  std::optional<Row> addTo(const FewValues& branch, Layout end, Ticks budget,
                           size_t most, FewValues& skip) const;

 private:
  Ticks distance(Layout layout) const {
    return anchor_.distances ? (*anchor_.distances)[layout] : 0;
  }

  const PricedChain* priced_;
  const FewMoves* moves_;
  bool hasSkip_;
  Values outside_;
  SkipAnchor anchor_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NARROWSKIP_H_
