// Lists of the moves and ops of a block, restricted to those that plans below a
// given cost (the threshold) can use. A list is made once for many rows
// (Rows.h).
//
// Rows of one search have much in common: each follows the branch of the block
// through the same moves, and examines ten times as many that are useless. So
// the branch is followed once from all starts together, each within its budget.
// The moves and ops that stay within a budget are listed in order. A row is
// then one pass over the list.
//
// Bounds use the list too. Values may be carried over the block along the list
// instead of all moves: for all layouts that plans below the threshold pass,
// the result is the same.

#ifndef PASSES_SEARCH_CHAIN_LISTEDBLOCK_H_
#define PASSES_SEARCH_CHAIN_LISTEDBLOCK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/chain/PricedChain.h"
#include "passes/search/chain/ResultsByOperand.h"
#include "passes/search/redistribution/FewLayouts.h"

namespace sbp::search {

/// Starts of rows, each with its budget: the most that a transition of its row
/// may cost together with the cost after the block.
using Starts = std::vector<std::pair<Layout, Ticks>>;

/// The list of one block.
class ListedBlock {
 public:
  /// Lists the moves and ops that rows from `starts` use, each within its
  /// budget. `moves` must be forward. `left` has a lower bound of the remaining
  /// cost per stage and layout. Returns nullopt if more than `most` layouts of
  /// a stage (BlockOperator.h) matter.
  static std::optional<ListedBlock> of(const PricedChain& priced,
                                       const FewMoves& moves, int64_t block,
                                       const ResultsByOperand& results,
                                       const std::vector<Values>& left,
                                       Starts starts, std::size_t most);

  /// Whether the list has all that a row from `from` with this budget uses.
  bool has(Layout from, Ticks budget) const;

  /// Appends, per stage, the layouts that plans from `from` within the budget
  /// may have, and the cost to come to each. has(from, budget) must be true.
  using ByStage = std::vector<std::vector<std::pair<Layout, Ticks>>>;
  void follow(Layout from, Ticks budget, ByStage& stages) const;

  /// Carry values over the branch, from its starts to its ends and back. Values
  /// of layouts that are not listed are kNever.
  Values advance(const Values& values) const;
  Values retreat(const Values& values) const;

 private:
  /// Edges from one node, by moves of one phase or by an op.
  struct Run {
    int32_t from = 0;
    std::size_t end = 0;  // index into to_ and ticks_
  };

  void add(int32_t from, int32_t to, Ticks ticks);

  Starts starts_;  // by layout
  // Nodes are layouts on stages, stage by stage.
  std::vector<std::size_t> stageEnds_;
  std::vector<Layout> layouts_;
  Values left_;
  // Edges in topological order.
  std::vector<Run> runs_;
  std::vector<int32_t> to_;
  Values ticks_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_LISTEDBLOCK_H_
