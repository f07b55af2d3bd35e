// What plans within reach can use of a block, listed once for many rows.
//
// Rows of one search have much in common: from one layout after the other they
// follow the branch of a block through the same moves, and look at ten times as
// many that are of no use. So the branch is followed once from all starts
// together, each as far as its budget goes. The moves and runs of ops that stay
// within a budget are listed in order, and a row is one pass over the list.
//
// Bounds need them too: what is carried over a block along the list is as low
// as over all of the block, for all that plans within reach pass.

#ifndef PASSES_SEARCH_LAYOUT_LISTEDBLOCK_H_
#define PASSES_SEARCH_LAYOUT_LISTEDBLOCK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/layout/FewLayouts.h"
#include "passes/search/layout/PricedChain.h"
#include "passes/search/layout/ResultsByOperand.h"

namespace sbp::search {

/// Where rows start, and how much each may cost with what is left behind it.
using Starts = std::vector<std::pair<Layout, Ticks>>;

class ListedBlock {
 public:
  /// What rows from `starts` use, each within its budget. `moves` are those
  /// forward; `left` has for every layout on each leg what is left to pay at
  /// least. Nothing if more than `most` layouts of a leg are worth a look.
  static std::optional<ListedBlock> of(const PricedChain& priced,
                                       const FewMoves& moves, int64_t block,
                                       const ResultsByOperand& results,
                                       const std::vector<Values>& left,
                                       Starts starts, std::size_t most);

  /// Whether a row from there with this budget uses nothing else.
  bool has(Layout from, Ticks budget) const;

  /// Appends, per leg, the layouts that plans from there within the budget may
  /// have on it, and what it costs to come there. It has what they use.
  using Legs = std::vector<std::vector<std::pair<Layout, Ticks>>>;
  void follow(Layout from, Ticks budget, Legs& legs) const;

  /// Carries values over the branch, from the starts to where it leads and
  /// back; those of layouts that are not listed are never.
  Values advance(const Values& values) const;
  Values retreat(const Values& values) const;

 private:
  /// All that leads away from a node in one phase, or by an op.
  struct Run {
    int32_t from = 0;
    std::size_t end = 0;  // in to_ and ticks_
  };

  void add(int32_t from, int32_t to, Ticks ticks);

  Starts starts_;  // by layout
  // Nodes are layouts on legs, leg by leg.
  std::vector<std::size_t> legEnds_;
  std::vector<Layout> layouts_;
  Values left_;
  // In an order in which nothing leads back.
  std::vector<Run> runs_;
  std::vector<int32_t> to_;
  Values ticks_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_LISTEDBLOCK_H_
