// The fronts of a corridor's passages: all times and bytes that they may take.
//
// Those of blocks are of axes with names (NamedRows.h), since around a skip
// counts of axes may promise too much. The head and the tail have no skip; what
// counts promise of them is true.

#ifndef PASSES_SEARCH_LAYOUT_FRONTS_H_
#define PASSES_SEARCH_LAYOUT_FRONTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "passes/search/layout/Corridor.h"
#include "passes/search/layout/ExactSearch.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

class Fronts {
 public:
  /// `priced` counts memory, and its price of a byte is that of the search. No
  /// more than `maxColoured` coloured layouts are looked at for one start. Both
  /// must outlive this.
  Fronts(const PricedChain& priced, ExactSearch& search,
         std::size_t maxColoured)
      : priced_(&priced), search_(&search), maxColoured_(maxColoured) {}

  /// Fills the fronts of a corridor of plans up to `reach`; false if that takes
  /// too much.
  bool fill(Corridor& corridor, Ticks reach);

 private:
  using Passages = std::vector<Passage*>;

  bool fillBlock(int64_t block, const std::map<Layout, Passages>& byStart,
                 Ticks reach);
  /// Passages of the head, or those of the tail from one layout.
  void fillEnd(bool isHead, Layout from, const Passages& passages);
  /// Distances on a leg of the head or the tail from what the op before leaves.
  const Values& distancesFrom(const Walk& walk, int64_t leg, Layout result);

  const PricedChain* priced_;
  ExactSearch* search_;
  std::size_t maxColoured_;
  std::map<std::tuple<const Walk*, int64_t, Layout>, Values> distances_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_FRONTS_H_
