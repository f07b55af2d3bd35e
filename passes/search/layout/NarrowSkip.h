// The skip around a branch, as far as plans below some cost can use it.
//
// A narrow row (NarrowRows.h) or column (NarrowColumns.h) of a block follows
// the branch from one end first. Then it is known at which layouts of the other
// end the block may be left, and how much each of them leaves for the skip.

#ifndef PASSES_SEARCH_LAYOUT_NARROWSKIP_H_
#define PASSES_SEARCH_LAYOUT_NARROWSKIP_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "passes/search/layout/FewLayouts.h"
#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Rows.h"

namespace sbp::search {

/// How long skips are at least: a potential per layout, of which a skip to (or,
/// in a row, from) the given end takes at least as much as that of the end is
/// higher than that of the other. Distances to or from some layout are one.
using SkipPotential = std::shared_ptr<const Values>;

/// Of skips where they are looked for, and of those that are counted where the
/// branch is followed, if any. With the latter, bounds of what the branch has
/// left are those of branch and skip together, and higher where both lead far
/// from here; but lower where the skip does not. Blocks without a skip have
/// none.
struct SkipAnchor {
  SkipPotential ofSkip = nullptr;
  SkipPotential onBranch = nullptr;
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
    return potentialOf(anchor_.onBranch, end);
  }

  /// Adds the skip from `end` to `branch`, which has what the branch takes from
  /// there. Only layouts are left with which, and with what is outside, that is
  /// at most `budget`; nothing if more than `most` are worth a look. Additions
  /// are left out. `skip` is lent, and has those looked at.
  std::optional<Row> addTo(const FewValues& branch, Layout end, Ticks budget,
                           size_t most, FewValues& skip) const;
  /// The same with all skips looked at.
  Row addWhole(const FewValues& branch, Layout end, Ticks budget) const;

 private:
  static Ticks potentialOf(const SkipPotential& potential, Layout layout) {
    return potential ? (*potential)[layout] : 0;
  }
  /// How long a skip is at least.
  Ticks leastSkip(Layout end, Layout x) const {
    Ticks least = 0;
    for (const SkipPotential& potential : {anchor_.ofSkip, anchor_.onBranch})
      least = std::max(least,
                       potentialOf(potential, end) - potentialOf(potential, x));
    return least;
  }
  /// Adds skips to what has been paid on the branch for these layouts, and
  /// leaves those out with which that is too much.
  template <typename Skip>
  Row withSkips(const FewValues& branch, std::vector<Layout> layouts,
                Ticks budget, const Skip& skip) const;

  const PricedChain* priced_;
  const FewMoves* moves_;
  bool hasSkip_;
  Values outside_;
  SkipAnchor anchor_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NARROWSKIP_H_
