// What one pin would cost: that an op of one layer runs in a given way.
//
// A pinned op cuts its block. With f(x), what it costs to come to the layout x
// before the block, and g(y), what it costs to go on from y behind it, the
// cheapest plan through the state s costs
//
//   least over x, y of  f(x) + branch from x to s + s + branch from s to y
//                       + skip from x to y + g(y)
//
// and for all x and y at once that is one sweep. The search has left bounds of
// f and g, exact where it had to be (Rows.h). So the least is a bound; and if f
// and g are exact at the x and y that attain it, it is the price. If not, f or
// g is found out there, by one row or column of the block before or behind, and
// the question is asked again.
//
// Prices are of counts of axes: around the pinned block they may promise what
// placements do not keep.

#ifndef PASSES_SEARCH_LAYOUT_WHATIF_H_
#define PASSES_SEARCH_LAYOUT_WHATIF_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "passes/search/layout/ExactSearch.h"

namespace sbp::search {

struct PinAnswer {
  Ticks lowerBound = kNever;  // kNever: the op cannot run like that
  Ticks cost = kNever;        // of a plan
  int64_t refined = 0;        // rows and columns that it took
  bool isExact() const { return lowerBound == cost; }
};

class WhatIf {
 public:
  /// Starts from a search that has been solved. Both must outlive this. A pin
  /// may take `maxRefined` rows and columns.
  WhatIf(const PricedChain& priced, ExactSearch& search,
         int64_t maxRefined = 40);

  /// The cheapest plan in which op `op` of the block behind residual tensor
  /// `position` has the result `result`, a layout of the whole space.
  PinAnswer pin(int64_t position, int64_t op, Layout result);

 private:
  /// Between which costs the truth lies.
  struct Range {
    Ticks least = 0, most = kNever;
    bool isExact() const { return least == most; }
  };
  enum class Side { Before, Behind };
  using Place = std::pair<int64_t, Layout>;  // position and layout

  /// What is known of f or g at a place.
  Range rangeOf(Side side, Place place);
  /// Makes the range exact, by rows or columns, and of places on the way.
  Range refine(Side side, Place place);
  /// The costs of crossing the block at `place`'s side, to it or from it.
  Values crossings(Side side, Place place) const;
  /// Bounds of all layouts at a position, with what was refined.
  Values bounds(Side side, int64_t position) const;
  /// Costs of plans through layouts with rows, per position.
  void carryCosts();
  Values pastBranch(const Walk& walk, Values values) const;

  const PricedChain* priced_;
  ExactSearch* search_;
  int64_t maxRefined_, refined_ = 0;
  // Per position, costs of plans through layouts with rows.
  std::vector<std::map<Layout, Ticks>> before_, behind_;
  std::map<Place, Range> known_[2];
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_WHATIF_H_
