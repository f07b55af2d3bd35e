// Rows of a block (Rows.h) for single axes: the costs of transitions from one
// layout.
//
// A narrow row (NarrowRows.h) has the costs of transitions by counts of axes.
// The layouts that it visits give, for every layout on the way, a lower bound
// of the remaining cost, skip included. So stabiliser orbits
// (BlockTransition.h) are followed from the start only within the budget, along
// the branch and along the skip. If branch and skip come to the same
// stabiliser orbit, the sum of their costs is the cost of a transition for
// single axes.

#ifndef PASSES_SEARCH_LIFTING_LIFTEDROWS_H_
#define PASSES_SEARCH_LIFTING_LIFTEDROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/chain/NarrowRows.h"
#include "passes/search/lifting/BlockTransition.h"
#include "passes/search/lifting/OrbitValues.h"

namespace sbp::search {

/// Computes rows of one block. `Paid` is Ticks (time plus the price of bytes)
/// or Front (Paid.h).
template <typename Paid>
class LiftedRows {
 public:
  /// Ends of transitions in order, and the cost of each, additions included.
  using Entries = std::vector<std::pair<Layout, Paid>>;

  /// `behind` has a lower bound per layout of the cost after the block. `ahead`
  /// and `back` are the moves of the whole space in both directions. All
  /// arguments but `behind` must outlive this object. A row is given up if more
  /// than `mostOrbits` stabiliser orbits matter on a stage.
  LiftedRows(const PricedChain& priced, const FewMoves& ahead,
             const FewMoves& back, int64_t block, const Values& behind,
             std::size_t mostOrbits = kMostOrbits);

  /// Announces the rows that will be asked for, which makes them cheaper.
  void expect(Starts starts) { rows_.expect(std::move(starts)); }

  /// Returns the transitions that, with the cost after the block, cost at most
  /// `budget`; nullopt if the row is given up.
  std::optional<Entries> row(Layout from, Ticks budget);
  /// Does the same only for transitions to layouts in `budgets`. A transition
  /// is returned if it costs at most the budget of its layout. If `axes` is
  /// ByClass, costs are by counts of axes.
  std::optional<Entries> row(
      Layout from, Ticks budget,
      const std::vector<std::pair<Layout, Ticks>>& budgets, Axes axes);

  /// Returns the transitions to one layout that cost at most query.budget, as
  /// transitionsOf() does (BlockTransition.h). Visits all layouts for the skip
  /// only.
  BlockTransitions transitions(Layout from, Layout to, TransitionQuery query);

  /// Returns the cheapest transitions to one layout. Counts of axes promise the
  /// cost `promised`: looks first for transitions that cost hardly more, and
  /// then for all.
  BlockTransitions cheapestTransitions(Layout from, Layout to, Ticks promised,
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
  /// Computes the cost that is left on every stage, for the layouts of the row,
  /// from the costs at the ends of the branch.
  void retreat(const Few& ends, Ticks budget);
  bool takeBranch(const OrbitCodes& codes, Layout from, Ticks budget);
  bool takeSkip(const OrbitCodes& codes, Layout from, Ticks budget);

  const PricedChain* priced_;
  const FewMoves* ahead_;
  const FewMoves* back_;
  int64_t block_;
  std::size_t mostOrbits_;
  const BlockOperator* blockOperator_;
  Values ending_;  // cost left after the branch, without the skip
  NarrowRows rows_;
  Row counted_;
  Few ends_;               // requested ends, and the cost left after them
  Values endsOf_;          // the same, per layout
  std::vector<Few> left_;  // per stage
  OrbitValues<Paid> branch_, results_;
  OrbitValues<Ticks> skip_;
  FewValues now_, next_;
  Values spread_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LIFTING_LIFTEDROWS_H_
