// Rows of a block (Rows.h) for axes that have names: the costs of crossings
// from one layout.
//
// A narrow row (NarrowRows.h) has the costs of crossings by counts of axes. The
// layouts that it visits give, for every layout on the way, a lower bound of
// the remaining cost, skip included. So coloured layouts (Crossing.h) are
// followed from the start only within the budget, along the branch and along
// the skip. If branch and skip reach the same coloured layout, the sum of their
// costs is the cost of a crossing for named axes.

#ifndef PASSES_SEARCH_LIFTING_NAMEDROWS_H_
#define PASSES_SEARCH_LIFTING_NAMEDROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/chain/NarrowRows.h"
#include "passes/search/lifting/Crossing.h"
#include "passes/search/lifting/FewColoured.h"

namespace sbp::search {

/// Computes rows of one block. `Paid` is Ticks (time plus the price of bytes)
/// or Front (Paid.h).
template <typename Paid>
class NamedRows {
 public:
  /// Ends of crossings in order, and the cost of each, additions included.
  using Entries = std::vector<std::pair<Layout, Paid>>;

  /// `behind` has a lower bound per layout of the cost after the block. `ahead`
  /// and `back` are the moves of the whole space in both directions. All
  /// arguments but `behind` must outlive this object. A row is given up if more
  /// than `mostColoured` coloured layouts matter on a leg.
  NamedRows(const PricedChain& priced, const FewMoves& ahead,
            const FewMoves& back, int64_t block, const Values& behind,
            std::size_t mostColoured = kMostColoured);

  /// Announces the rows that will be asked for, which makes them cheaper.
  void expect(Starts starts) { rows_.expect(std::move(starts)); }

  /// Returns the crossings that, with the cost after the block, cost at most
  /// `budget`; nullopt if the row is given up.
  std::optional<Entries> row(Layout from, Ticks budget);
  /// Does the same only for crossings to layouts in `budgets`. A crossing is
  /// returned if it costs at most the budget of its layout. If `axes` is Alike,
  /// costs are by counts of axes.
  std::optional<Entries> row(
      Layout from, Ticks budget,
      const std::vector<std::pair<Layout, Ticks>>& budgets, Axes axes);

  /// Returns the crossings to one layout that cost at most query.budget, as
  /// cross() does (Crossing.h). Visits all layouts for the skip only.
  Crossings crossings(Layout from, Layout to, CrossingQuery query);

  /// Returns the cheapest crossings to one layout. Counts of axes promise the
  /// cost `promised`: looks first for crossings that cost hardly more, and then
  /// for all.
  Crossings cheapestCrossings(Layout from, Layout to, Ticks promised,
                              int64_t maxLooks);

  /// Returns the last row by counts of axes.
  const Row& counted() const { return counted_; }

 private:
  using Few = std::vector<std::pair<Layout, Ticks>>;
  /// Sets few values of a vector, and resets them to never.
  class Spread;

  Values endingOf(const Values& behind) const;
  /// Returns, per requested end, the cost that is left where the branch ends
  /// there.
  Few skipsAndEnds();
  std::optional<Entries> follow(Layout from, Ticks budget, Axes axes);
  /// Computes the cost that is left on every leg, for the layouts of the row,
  /// from the costs at the ends of the branch.
  void retreat(const Few& ends, Ticks budget);
  bool takeBranch(const ColourCodes& codes, Layout from, Ticks budget);
  bool takeSkip(const ColourCodes& codes, Layout from, Ticks budget);

  const PricedChain* priced_;
  const FewMoves* ahead_;
  const FewMoves* back_;
  int64_t block_;
  std::size_t mostColoured_;
  const Walk* walk_;
  Values ending_;  // cost left after the branch, without the skip
  NarrowRows rows_;
  Row counted_;
  Few ends_;               // requested ends, and the cost left after them
  Values endsOf_;          // the same, per layout
  std::vector<Few> left_;  // per leg
  FewColoured<Paid> branch_, results_;
  FewColoured<Ticks> skip_;
  FewValues now_, next_;
  Values spread_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LIFTING_NAMEDROWS_H_
