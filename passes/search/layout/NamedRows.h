// What it costs to pass a block from one layout, for axes that have names.
//
// A narrow row (NarrowRows.h) has what crossings cost by counts of axes. From
// what it has looked at follows, for every layout on the way, how little may be
// left to pay, skip included. So coloured layouts (Crossing.h) are followed
// from the start, branch and skip each for itself, only where they stay within
// the budget. Where both have come to the same coloured layout, their sum is
// what the crossing costs for axes with names.

#ifndef PASSES_SEARCH_LAYOUT_NAMEDROWS_H_
#define PASSES_SEARCH_LAYOUT_NAMEDROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/layout/Crossing.h"
#include "passes/search/layout/FewColoured.h"
#include "passes/search/layout/NarrowRows.h"

namespace sbp::search {

/// `Paid` is Ticks, by time and the price for bytes; or Front.
template <typename Paid>
class NamedRows {
 public:
  /// Where crossings lead, in order, and what each costs, additions included.
  using Entries = std::vector<std::pair<Layout, Paid>>;

  /// `behind` has for every layout what is left to pay at least behind the
  /// block; `ahead` and `back` the moves of the whole space in both directions.
  /// All but it must outlive this. Rows are given up for which more than
  /// `mostColoured` coloured layouts matter on a leg.
  NamedRows(const PricedChain& priced, const FewMoves& ahead,
            const FewMoves& back, int64_t block, const Values& behind,
            std::size_t mostColoured = kMostColoured);

  /// Says which rows will be asked for.
  void expect(Starts starts) { rows_.expect(std::move(starts)); }

  /// The crossings that, with what is left, cost at most `budget`; nothing if
  /// the row is given up.
  std::optional<Entries> row(Layout from, Ticks budget);
  /// Of these only crossings to some layouts that cost no more than the budget
  /// of each; or the same by counts of axes.
  std::optional<Entries> row(
      Layout from, Ticks budget,
      const std::vector<std::pair<Layout, Ticks>>& budgets, Axes axes);

  /// Crossings to one layout, those that cost no more than query.budget, as
  /// cross() finds them; without walks over all layouts but for the skip.
  Crossings crossings(Layout from, Layout to, CrossingQuery query);

  /// The cheapest crossings to one layout where counts promise so much: looked
  /// for first among those that cost hardly more, then among all.
  Crossings cheapestCrossings(Layout from, Layout to, Ticks promised,
                              int64_t maxLooks);

  /// The same crossings by counts of axes.
  const Row& counted() const { return counted_; }

 private:
  using Few = std::vector<std::pair<Layout, Ticks>>;
  /// Values that are never, but for few layouts.
  class Spread;

  Values endingOf(const Values& behind) const;
  /// Of layouts that are asked for, what is left where the branch ends there.
  Few skipsAndEnds();
  std::optional<Entries> follow(Layout from, Ticks budget, Axes axes);
  /// Finds what is left on every leg of what the row has come to, by what is
  /// left where the branch ends.
  void retreat(const Few& ends, Ticks budget);
  bool takeBranch(const ColourCodes& codes, Layout from, Ticks budget);
  bool takeSkip(const ColourCodes& codes, Layout from, Ticks budget);

  const PricedChain* priced_;
  const FewMoves* ahead_;
  const FewMoves* back_;
  int64_t block_;
  std::size_t mostColoured_;
  const Walk* walk_;
  Values ending_;  // what is left behind the branch, but for the skip
  NarrowRows rows_;
  Row counted_;
  Few ends_;       // of layouts that are asked for, what is left behind them
  Values endsOf_;  // the same, of all layouts
  std::vector<Few> left_;  // per leg
  FewColoured<Paid> branch_, results_;
  FewColoured<Ticks> skip_;
  FewValues now_, next_;
  Values spread_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NAMEDROWS_H_
