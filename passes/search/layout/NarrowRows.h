// Rows of a block as far as plans below some cost can use them.
//
// What is left to pay from any layout on the way through the branch is known
// from the trails, skips left aside. So from one layout the branch is followed
// only where that leads below the limit, and the skip only as far as the branch
// leaves room: few layouts of millions.

#ifndef PASSES_SEARCH_LAYOUT_NARROWROWS_H_
#define PASSES_SEARCH_LAYOUT_NARROWROWS_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/layout/FewLayouts.h"
#include "passes/search/layout/ListedBlock.h"
#include "passes/search/layout/NarrowSkip.h"
#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/ResultsByOperand.h"
#include "passes/search/layout/Rows.h"

namespace sbp::search {

/// Sets `operands` to what is left from the operands of an op, if `results` is
/// what is left from its results; only those count for which that and what is
/// `paid` to come there is at most `budget`.
void runBackFew(const Terrain& terrain, const Walk& walk, int64_t op,
                const FewValues& results, const Values& paid, Ticks budget,
                FewValues& operands);

class NarrowRows {
 public:
  /// `ending` has for every layout what is left to pay at least once the block
  /// has led there, residual additions included; `toAnchor` distances of the
  /// skip to some layout. `priced` and `moves` must outlive this.
  NarrowRows(const PricedChain& priced, const FewMoves& moves, int64_t block,
             std::shared_ptr<const ResultsByOperand> results, Values ending,
             SkipAnchor toAnchor = {});

  /// Says from where rows will be asked for, with which budgets, so that what
  /// they have in common is looked at once.
  void expect(Starts starts);

  /// The entries of M(from, .) that, with what is left, are at most `budget`;
  /// nothing if more than `most` layouts are worth a look.
  std::optional<Row> row(Layout from, Ticks budget, size_t most);

  /// What entries of M(from, .) and what is left are at least.
  Ticks least(Layout from) const {
    return left_.front()[from] + skip_.countedOnBranch(from);
  }

  /// Per leg, the layouts that the last row has come to on it, and what it
  /// costs to come there.
  const ListedBlock::Legs& legs() const { return legs_; }

  /// How many layouts the last row has looked at.
  size_t looked() const { return looked_; }

 private:
  bool follow(Layout from, Ticks budget, size_t most);
  void followListed(Layout from, Ticks budget);
  void keepLeg();

  const PricedChain* priced_;
  const FewMoves* moves_;
  int64_t block_;
  const Walk* walk_;
  NarrowSkip skip_;
  std::vector<Values> left_;  // per leg, of all layouts
  std::shared_ptr<const ResultsByOperand> results_;
  FewValues now_, next_;
  std::optional<ListedBlock> listed_;
  ListedBlock::Legs legs_;
  size_t looked_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NARROWROWS_H_
