// The costs of the transitions of a block from one residual layout to another:
// bounds for all pairs, and exact rows for some.
//
// A block costs M(x, y) = branch(x, y) + skip(x, y). One sweep
// (BlockOperator.h) carries the values of all x over the branch at once. It
// cannot carry them over branch and skip together, because the x of both must
// be the same. So the cost of all pairs is bounded from below by the branch,
// and the *rows* M(x, .) of some x are computed exactly, each by a sweep from
// x. Values are then carried over the block by rows, for layouts that have one,
// and by bounds, for all others. The results are lower bounds.
//
// Entries may be raised to the cost of placements (LiftedRows.h), if counts of
// axes promise less.
//
// A row may be known in part: it then has only the entries that plans of a cost
// up to some pruning threshold can use. An entry is left out if the least cost
// of a plan before it, its own cost, and the least cost after it together
// exceed the threshold. So an entry that was left out costs at least
//
//   M(x, y) > threshold - before(x) - behind(y)
//
// This is a weak bound for a plan that passes one such entry, but a strong one
// for a plan that passes one in every layer.

#ifndef PASSES_SEARCH_CHAIN_ROWS_H_
#define PASSES_SEARCH_CHAIN_ROWS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "passes/search/chain/ListedBlock.h"
#include "passes/search/chain/PricedChain.h"
#include "passes/search/chain/ValueFunctions.h"

namespace sbp::search {

/// A row: its entries in ascending order of layouts.
struct Row {
  bool isWhole = true;
  std::vector<Layout> to;  // layouts of the entries; empty if the row is whole
  Values ticks;
  /// Entries may be missing if only plans above this cost use them.
  Ticks threshold = kNever;
  /// Bound of the missing entries: each costs at least `others` minus `behind`
  /// at its layout. `behind` has lower bounds of the cost after the block,
  /// which rows that were found together share. If it is null, there is no
  /// bound.
  Ticks others = kNever;
  std::shared_ptr<const Values> behind;

  /// Whether the row has all entries that plans up to `ticks` use.
  bool holdsUpTo(Ticks ticks) const {
    return isWhole || (behind && threshold >= ticks);
  }

  /// Returns the entry of a layout; kNever if there is none.
  Ticks operator[](Layout layout) const;
  /// Raises the entry of a layout, if there is one that is lower.
  void raise(Layout to, Ticks raised);
  /// Returns the layout of entry `i`.
  Layout layoutAt(std::size_t i) const {
    return isWhole ? static_cast<Layout>(i) : to[i];
  }
};

/// The part of a block that plans below the threshold may use: the layouts at
/// its end, and the moves of its branch. `branch` is called before every step;
/// it may return null, for all moves.
struct StepWithin {
  const std::vector<Layout>& to;
  std::function<const ListedBlock*()> branch;
};

/// The rows of all blocks of a chain, and the bounds of the other costs.
class Rows {
 public:
  /// Rows that share `behind` are a group. This is the largest number of
  /// groups, per block, whose missing entries have a bound.
  static constexpr std::size_t kMostShared = 24;

  explicit Rows(const PricedChain& priced)
      : priced_(&priced),
        rows_(priced.numBlocks()),
        shared_(priced.numBlocks()),
        fromAnchors_(priced.numBlocks()),
        toAnchors_(priced.numBlocks()) {}

  /// Returns the rows of a block, by the layout at their start.
  const std::map<Layout, Row>& ofBlock(int64_t block) const {
    return rows_[block];
  }
  /// Return the number of entries of all rows, and of those of a block.
  int64_t numEntries() const;
  int64_t numEntries(int64_t block) const;

  void set(int64_t block, Layout from, Row row) {
    rows_[block][from] = std::move(row);
  }
  /// Sets a row that is known in part. Its former entries are kept, because a
  /// plan that is not lifted yet may use them.
  void setPart(int64_t block, Layout from, Row part);
  /// Raises an entry of a row, which must exist.
  void raise(int64_t block, Layout from, Layout to, Ticks ticks) {
    rows_[block].at(from).raise(to, ticks);
  }
  /// Add an anchor: a layout whose distances along the skip give bounds of all
  /// skips of a block. A skip from x to y costs at least distance(anchor, y) -
  /// distance(anchor, x), and at least distance(x, anchor) - distance(y,
  /// anchor). The former is used for values that are carried forward, the
  /// latter for values that are carried back. Of several anchors, the highest
  /// bound counts. Each anchor takes one more sweep. In a step that is
  /// restricted to few layouts (StepWithin), bounds include skips only after
  /// the moves have been listed. Nothing is added if the block has no skip.
  void addAnchorFrom(int64_t block, Layout from);
  void addAnchorTo(int64_t block, Layout to);
  void forgetAnchors(int64_t block);
  /// Distances of the skip from and to the anchors, in the order in which
  /// anchors were added.
  using Distances = std::vector<std::shared_ptr<const Values>>;
  const Distances& toAnchors(int64_t block) const { return toAnchors_[block]; }
  /// Returns the distances of the first anchor; null if there is none.
  static std::shared_ptr<const Values> firstOf(const Distances& distances) {
    return distances.empty() ? nullptr : distances.front();
  }
  /// Begins a group of rows of a block: returns `behind` as the Row::behind of
  /// rows that will be set. Only the last kMostShared groups keep it. Rows of
  /// earlier groups lose the bound of their missing entries, and then
  /// holdsUpTo() is false for them.
  std::shared_ptr<const Values> share(int64_t block, Values behind);

  /// Returns M(from, .) of a block, by counts of axes.
  Values countedRow(int64_t block, Layout from) const;

  /// Returns M(., to) of a block, by counts of axes.
  Values countedColumn(int64_t block, Layout to) const;

  /// Carry values over a block, to all layouts or to those in `within`. The
  /// results are valid bounds for plans of a cost up to `threshold`. Values of
  /// other layouts are kNever.
  Values advance(int64_t block, const Values& values, Ticks threshold,
                 const StepWithin* within = nullptr) const;
  Values retreat(int64_t block, const Values& values, Ticks threshold,
                 const StepWithin* within = nullptr) const;

  /// Whether carrying values to `layouts` layouts one by one is faster than a
  /// sweep over all layouts.
  bool areFew(size_t layouts) const;

 private:
  class LeftOut;

  /// Carry values to all layouts.
  Values advanceToAll(int64_t block, const Values& values, Ticks threshold,
                      const StepWithin* within) const;
  Values retreatToAll(int64_t block, const Values& values, Ticks threshold,
                      const StepWithin* within) const;
  /// Carry values to few layouts.
  Values advanceTo(int64_t block, const Values& values, Ticks threshold,
                   const StepWithin& within) const;
  Values retreatTo(int64_t block, const Values& values, Ticks threshold,
                   const StepWithin& within) const;
  /// Returns bounds of the values that are carried over a block from layouts
  /// without rows, and by missing entries of rows; nullopt if there are no such
  /// values.
  std::optional<Values> boundOthers(int64_t block, const Values& values,
                                    Ticks threshold,
                                    const StepWithin* within) const;
  /// Return bounds without any rows.
  Values boundAhead(int64_t block, const Values& values,
                    const StepWithin* within) const;
  Values boundBack(int64_t block, Values values,
                   const StepWithin* within) const;

  const PricedChain* priced_;
  std::vector<std::map<Layout, Row>> rows_;
  std::vector<std::deque<std::shared_ptr<const Values>>> shared_;
  std::vector<Distances> fromAnchors_, toAnchors_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_ROWS_H_
