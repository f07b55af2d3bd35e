// The skip around a branch, restricted to plans below a given cost.
//
// A narrow row (NarrowRows.h) or column (NarrowColumns.h) of a block first
// follows the branch from one end. This leaves few layouts for the other end,
// and for each of them a part of the budget for the skip.

#ifndef PASSES_SEARCH_LAYOUT_NARROWSKIP_H_
#define PASSES_SEARCH_LAYOUT_NARROWSKIP_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/Rows.h"
#include "passes/search/redistribution/FewLayouts.h"

namespace sbp::search {

/// A lower bound of skips as a potential per layout: a skip between the given
/// end and a layout costs at least potential(end) - potential(layout). For
/// rows, distances of the skip to one layout, the anchor, are a potential; for
/// columns, distances from an anchor.
using SkipPotential = std::shared_ptr<const Values>;

/// Potentials that are used when the skip is followed (`ofSkip`) and when the
/// branch is followed (`onBranch`); null if there is none. With `onBranch`, the
/// bounds of the branch include the skip. They are then higher for layouts with
/// a lower potential than the given end, and lower for layouts with a higher
/// one. A block without a skip has no potentials.
struct SkipAnchor {
  SkipPotential ofSkip = nullptr;
  SkipPotential onBranch = nullptr;
};

/// The skip of one block.
class NarrowSkip {
 public:
  /// `outside` has a lower bound per layout, at the other end, of the cost
  /// beyond it. `priced` and `moves`, which lead from the given end to the
  /// other, must outlive this object.
  NarrowSkip(const PricedChain& priced, const FewMoves& moves, int64_t block,
             Values outside, SkipAnchor anchor);

  /// A lower bound of the cost outside of the branch includes the skip by its
  /// potential `onBranch`. It is the sum of two parts: outsideOfBranch()
  /// returns the part for each layout of the other end, countedOnBranch() the
  /// part for the given end.
  Values outsideOfBranch() const;
  Ticks countedOnBranch(Layout end) const {
    return potentialOf(anchor_.onBranch, end);
  }

  /// Adds the skip from `end` to `branch`, which has the cost of the branch
  /// from there. Returns the layouts for which this sum plus the cost outside
  /// is at most `budget`, with the sums; they do not include additions of
  /// residual tensors. Returns nullopt if more than `most` layouts matter.
  /// `skip` is scratch memory, and has the visited layouts afterwards.
  std::optional<Row> addTo(const FewValues& branch, Layout end, Ticks budget,
                           size_t most, FewValues& skip) const;
  /// Does the same by a sweep over all layouts of the other end
  /// (Redistribution.h).
  Row addWhole(const FewValues& branch, Layout end, Ticks budget) const;

 private:
  static Ticks potentialOf(const SkipPotential& potential, Layout layout) {
    return potential ? (*potential)[layout] : 0;
  }
  /// Returns a lower bound of the cost of a skip between `end` and `x`.
  Ticks leastSkip(Layout end, Layout x) const {
    Ticks least = 0;
    for (const SkipPotential& potential : {anchor_.ofSkip, anchor_.onBranch})
      least = std::max(least,
                       potentialOf(potential, end) - potentialOf(potential, x));
    return least;
  }
  /// Adds skips to the costs of the branch for these layouts, and drops layouts
  /// above the budget.
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
