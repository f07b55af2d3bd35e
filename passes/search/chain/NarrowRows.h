// Rows of a block (Rows.h), restricted to plans below a given cost.
//
// Values of a value function (ValueFunctions.h) give a lower bound of the cost
// that is left from any layout on the way through the branch. So from the start
// of a row the branch is followed only while this bound is within the budget,
// and the skip only within what the branch leaves of the budget. This visits
// few layouts of millions.

#ifndef PASSES_SEARCH_CHAIN_NARROWROWS_H_
#define PASSES_SEARCH_CHAIN_NARROWROWS_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/chain/ListedBlock.h"
#include "passes/search/chain/NarrowSkip.h"
#include "passes/search/chain/PricedChain.h"
#include "passes/search/chain/ResultsByOperand.h"
#include "passes/search/chain/Rows.h"
#include "passes/search/redistribution/FewLayouts.h"

namespace sbp::search {

/// Sets `operands` to the cost left from the operands of an op, given
/// `results`, the cost left from its results. Leaves out layouts whose cost
/// left plus `paid`, the cost up to them, exceeds `budget`.
void runBackFew(const ChainSpaces& spaces, const BlockOperator& blockOperator,
                int64_t op, const FewValues& results, const Values& paid,
                Ticks budget, FewValues& operands);

/// Computes narrow rows of one block.
class NarrowRows {
 public:
  /// `ending` has a lower bound per layout of the cost after the branch,
  /// residual additions included; `toAnchor` has the distances of the skip to
  /// an anchor (NarrowSkip.h). `moves` must be forward. `priced` and `moves`
  /// must outlive this object.
  NarrowRows(const PricedChain& priced, const FewMoves& moves, int64_t block,
             std::shared_ptr<const ResultsByOperand> results, Values ending,
             SkipAnchor toAnchor = nullptr);

  /// Announces the starts of rows and their budgets, so that common work is
  /// done once (ListedBlock.h).
  void expect(Starts starts);

  /// Returns the entries of M(from, .) that, with the cost after them, are at
  /// most `budget`; nullopt if more than `most` layouts matter.
  std::optional<Row> row(Layout from, Ticks budget, size_t most);

  /// Layouts of the last row per stage, with the cost to come to each.
  const ListedBlock::ByStage& stages() const { return stages_; }

  /// Returns the number of layouts that the last row has visited.
  size_t looked() const { return looked_; }

 private:
  bool follow(Layout from, Ticks budget, size_t most);
  void followListed(Layout from, Ticks budget);
  void keepStage();

  const PricedChain* priced_;
  const FewMoves* moves_;
  int64_t block_;
  const BlockOperator* blockOperator_;
  NarrowSkip skip_;
  std::vector<Values> left_;  // per stage and layout
  std::shared_ptr<const ResultsByOperand> results_;
  FewValues now_, next_;
  std::optional<ListedBlock> listed_;
  ListedBlock::ByStage stages_;
  size_t looked_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_NARROWROWS_H_
