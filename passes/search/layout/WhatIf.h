// The cost of one pin. A pin demands that the result of an op of one layer has
// a given layout.
//
// A pinned op cuts its block. Let f(x) be the cost up to the layout x before
// the block, and g(y) the cost from the layout y after it. The cheapest plan
// through the state s costs
//
//   least over x, y of  f(x) + branch from x to s + cost of s
//                       + branch from s to y + skip from x to y + g(y)
//
// For all x and y together this is one search, with named axes (NamedPin.h). It
// uses the tight lower bounds of f and g that ExactSearch::sharpen provides. So
// the least is a lower bound, and gives the x and y of the cheapest way. To
// find f(x) and g(y), the blocks before and after the pinned one are then
// crossed layer by layer, by narrow columns (NarrowColumns.h) and rows
// (NarrowRows.h); the layouts that seem the cheapest are taken first. Then f(x)
// and g(y) are either exact or higher than their bounds, and another way may be
// the cheapest.
//
// Outside the pinned block, prices are by counts of axes (LayoutSpace.h). So
// the plan is followed until it joins the plan of the search, and its new
// crossings are computed for named axes (Crossing.h). If a crossing costs more
// than counts promise, its cost is raised, and the cheapest way is searched
// again.

#ifndef PASSES_SEARCH_LAYOUT_WHATIF_H_
#define PASSES_SEARCH_LAYOUT_WHATIF_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "passes/search/layout/ExactSearch.h"
#include "passes/search/layout/NamedPin.h"
#include "passes/search/layout/NamedRows.h"
#include "passes/search/layout/NarrowLists.h"
#include "passes/search/layout/PinnedWalk.h"

namespace sbp::search {

/// The cost of plans with a pin.
struct PinAnswer {
  Ticks lowerBound = kNever;  // kNever if the op cannot have this result
  Ticks cost = kNever;        // of a plan on named axes
  int64_t crossed = 0;        // rows and columns that were computed
  bool isExact() const { return lowerBound == cost; }
};

/// Answers for the pins of one chain.
class WhatIf {
 public:
  /// `search` must have been solved. Both must outlive this object. At most
  /// `maxCrossed` rows and columns are computed for a pin.
  WhatIf(const PricedChain& priced, ExactSearch& search,
         int64_t maxCrossed = 4000);
  WhatIf(const WhatIf&) = delete;

  /// Returns the cost of the cheapest plan with this pin that was found, and a
  /// lower bound of all such plans.
  PinAnswer ask(const Pin& pin);

 private:
  enum class Side { Before, Behind };
  using Place = std::pair<int64_t, Layout>;  // position and layout

  /// Returns the cost of crossing the pinned block between two layouts on named
  /// axes; kNever if finding it takes too long.
  Ticks nameInside(const Pin& pin, Layout from, Layout to) const;
  /// Returns the layouts of a plan with cost `left` on one side of a place, up
  /// to where it joins the plan of the search; empty if there is none.
  std::vector<Layout> follow(Side side, Place place, Ticks left);
  /// Returns the cost of a plan outside the pinned block on named axes; kNever
  /// if finding it takes too long. Raises crossings that cost more than counts
  /// promise.
  Ticks nameOutside(Place from, Place to);
  Ticks nameOutside(Side side, Place place);
  /// Returns the cost of a crossing on named axes; kNever if finding it takes
  /// too long. By counts of axes the cost is `promised`.
  Ticks namedCrossing(int64_t block, Layout from, Layout to, Ticks promised);
  /// Return the cost to which a crossing has been raised; if it has not been
  /// raised, the given cost. raised() looks at what this object has raised,
  /// raisedAnywhere() also at the rows of the search.
  Ticks raised(int64_t block, Layout from, Layout to, Ticks entry) const;
  Ticks raisedAnywhere(int64_t block, Layout from, Layout to,
                       Ticks counted) const;

  /// Lower and upper bound of f or g at a place.
  struct Range {
    Ticks least = 0, most = kNever;
    bool isExact() const { return least == most; }
  };
  /// Raises the lower bound of f or g at a place above `upTo`, or finds its
  /// exact value; neither if that takes too many rows and columns. Follows the
  /// cheapest next layout first.
  void raise(Side side, Place place, Ticks upTo);
  /// Raises the lower bound by the bounds of the next block on this side.
  Range& raiseByBounds(Side side, Place place);
  /// Raises the bounds outside the pinned block for a way through it, as far as
  /// plans up to `limit` pass there. Returns whether a bound rose.
  bool raiseOutside(NamedPin& named, int64_t position, const NamedPin::Way& way,
                    Ticks limit);
  /// Crossings of the next block on a side of a place: all whose cost, plus the
  /// bound of the rest, is at most `upTo`.
  struct Entries {
    const Row* row = nullptr;
    Ticks upTo = -kNever;
  };
  /// Returns a lower bound of a crossing and the rest, without listing any.
  Ticks leastListed(Side side, Place place);
  /// Returns crossings at least up to `upTo`.
  Entries crossings(Side side, Place place, Ticks upTo);
  /// Returns crossings by counts of axes from a sweep over all layouts.
  Row wholeCrossings(Side side, Place place, Ticks upTo) const;
  /// Raises the entries of `row` to costs that were found out.
  void raiseRow(Side side, int64_t block, Layout layout, Row& row) const;
  /// Raises all known bounds and lists to costs of crossings that were found
  /// out.
  void raiseKnown();
  void forgetCrossings();
  /// Returns the block at a side of a position.
  int64_t blockAt(Side side, int64_t position) const;
  /// Return the lists of the block at a side of `position`, and the offset of
  /// their bounds at this position.
  std::pair<NarrowLists<NarrowRows>*, Ticks> rowsBehind(int64_t position);
  std::pair<NarrowLists<NarrowColumns>*, Ticks> columnsBefore(int64_t position);
  /// Returns a function that makes an anchor at a layout, for bounds of the
  /// skips of a block; null if the block has no skip.
  using SkipsAt = Values (PricedChain::*)(Layout) const;
  std::function<SkipAnchor(Layout)> anchorsOf(int64_t block,
                                              SkipPotential ofSkip,
                                              SkipsAt skipsAt) const;
  /// nearby() returns the position whose trail values the lists at `position`
  /// use. There are few such positions, fewer far from the start of the trail,
  /// where values change less. above() returns the least difference of the
  /// values at `position` and at `other`.
  int64_t nearby(Side side, int64_t position) const;
  Ticks above(Side side, int64_t position, int64_t other);

  void carryCosts();
  const std::map<Layout, Row>& rowsAt(int64_t position) const {
    return search_->rows().ofBlock(priced_->blockAt(position));
  }
  const Trail& trail(Side side) const;
  /// Return the bounds of f or g at a place.
  Ticks leastOf(Side side, Place place) const;
  Range rangeOf(Side side, Place place) const;
  /// Return an upper bound of f or g at a place: by plans that come from a
  /// layout with a row, or that lead to the plan of the search.
  Ticks mostOf(Side side, Place place) const;
  Ticks mostBefore(Place place) const;
  Ticks mostBehind(Place place) const;
  Ticks mostBehindLast(Layout layout, const Row& row);
  /// Returns the lower bounds of all layouts at a position.
  Values bounds(Side side, int64_t position) const;

  const PricedChain* priced_;
  ExactSearch* search_;
  int64_t maxCrossed_, crossed_ = 0;
  // Additional cost, above what is wanted, up to which the costs outside the
  // pinned block are computed.
  Ticks further_ = 0;
  // Per position, the costs of plans through layouts with rows, before and
  // after them, in the order of rows.
  std::vector<std::vector<Ticks>> before_, behind_;
  // The costs after the last position, without raised entries.
  std::map<Layout, Ticks> behindLast_;
  // Columns of blocks at layouts of the plan.
  std::map<std::pair<int64_t, Layout>, Values> columns_;
  std::map<Place, Range> known_[2];
  // Crossings: block, start and end.
  std::map<std::tuple<int64_t, Layout, Layout>, Ticks> named_, raised_;

  FewMoves moves_, movesBack_;
  size_t most_;  // most layouts that a narrow row or column visits
  std::vector<std::shared_ptr<const ResultsByOperand>> results_;  // per block
  std::map<std::pair<int64_t, int64_t>, Ticks> above_[2];         // by keys
  // Block and key of a trail.
  using ListsName = std::pair<int64_t, int64_t>;
  std::map<ListsName, NarrowLists<NarrowRows>> rowLists_;
  std::map<ListsName, NarrowLists<NarrowColumns>> columnLists_;
  // Crossings that sweeps have listed for this pin.
  std::map<Place, ListedCrossings> whole_[2];
  std::map<int64_t, NamedRows<Ticks>> namers_;  // by block
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_WHATIF_H_
