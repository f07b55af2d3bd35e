// What one pin would cost: that an op of one layer runs in a given way.
//
// A pinned op cuts its block. With f(x), what it costs to come to the layout x
// before the block, and g(y), what it costs to go on from y behind it, the
// cheapest plan through the state s costs
//
//   least over x, y of  f(x) + branch from x to s + s + branch from s to y
//                       + skip from x to y + g(y)
//
// and for all x and y at once that is one search, with axes that have names
// (NamedPin.h). ExactSearch::sharpen leaves close bounds of f and g. So the
// least is a bound, and says which x and y the cheapest way passes. From these
// the blocks before and behind are crossed, layer by layer, by narrow columns
// and rows, where it seems cheapest to go on first. Then f(x) and g(y) are
// exact, or higher than they were thought to be, and another way may be the
// cheapest.
//
// Outside the pinned block prices are of counts of axes. So the plan is
// followed to where it is that of the search, and crossings that have not been
// passed yet are repeated with axes that have names (Crossing.h). Where one
// costs more than counts promise, it is raised, and the cheapest way is looked
// for again.

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

struct PinAnswer {
  Ticks lowerBound = kNever;  // kNever: the op cannot run like that
  Ticks cost = kNever;        // of a plan, on axes with names
  int64_t crossed = 0;        // rows and columns that it took
  bool isExact() const { return lowerBound == cost; }
};

class WhatIf {
 public:
  /// Starts from a search that has been solved. Both must outlive this. A pin
  /// may take `maxCrossed` rows and columns.
  WhatIf(const PricedChain& priced, ExactSearch& search,
         int64_t maxCrossed = 4000);
  WhatIf(const WhatIf&) = delete;

  /// What the cheapest plan with this pin costs.
  PinAnswer ask(const Pin& pin);

 private:
  enum class Side { Before, Behind };
  using Place = std::pair<int64_t, Layout>;  // position and layout

  /// What it costs to cross the pinned block between two layouts on named axes;
  /// kNever if that takes too long to find.
  Ticks nameInside(const Pin& pin, Layout from, Layout to) const;
  /// Where a plan goes on that has so much left to pay on one side of a place,
  /// up to where it is that of the search.
  std::vector<Layout> follow(Side side, Place place, Ticks left);
  /// What a plan costs outside the pinned block on named axes; kNever if that
  /// takes too long to find. Raises crossings of which counts promised less.
  Ticks nameOutside(Place from, Place to);
  Ticks nameOutside(Side side, Place place);
  /// What a crossing costs on named axes of which counts promise so much;
  /// kNever likewise.
  Ticks namedCrossing(int64_t block, Layout from, Layout to, Ticks promised);
  /// What an entry of a row of the search costs, or more if a pin found it to;
  /// and what a crossing costs by counts, or more if either found it to.
  Ticks raised(int64_t block, Layout from, Layout to, Ticks entry) const;
  Ticks raisedAnywhere(int64_t block, Layout from, Layout to,
                       Ticks counted) const;

  /// Between which costs the truth lies.
  struct Range {
    Ticks least = 0, most = kNever;
    bool isExact() const { return least == most; }
  };
  /// Raises what is known of f or g at a place above `upTo`, or finds out that
  /// it is exact; neither if that takes too many rows and columns. Of layouts
  /// that lead there, looks first at what seems cheapest.
  void raise(Side side, Place place, Ticks upTo);
  /// Raises it as far as bounds of the block before or behind do.
  Range& raiseByBounds(Side side, Place place);
  /// Raises what a way through a pinned block is known to pay outside, as far
  /// as plans up to `limit` pass there; whether it can.
  bool raiseOutside(NamedPin& named, int64_t position, const NamedPin::Way& way,
                    Ticks limit);
  /// Crossings of the block at a side of a place, to or from there: all of
  /// which the cost and the bound of the rest are at most `upTo`.
  struct Entries {
    const Row* row = nullptr;
    Ticks upTo = -kNever;
  };
  /// What they and the rest cost at least, before any is listed.
  Ticks leastListed(Side side, Place place);
  /// At least as far as that.
  Entries crossings(Side side, Place place, Ticks upTo);
  /// The same by counts of axes, all of them looked at.
  Row wholeCrossings(Side side, Place place, Ticks upTo) const;
  /// Raises these to what was found out of them.
  void raiseRow(Side side, int64_t block, Layout layout, Row& row) const;
  /// Raises all that is known to what was found out of crossings.
  void raiseKnown();
  void forgetCrossings();
  /// The block at a side of a position.
  int64_t blockAt(Side side, int64_t position) const;
  /// Lists of the block at a side of `position`, and what is to be added to
  /// their bounds there.
  std::pair<NarrowLists<NarrowRows>*, Ticks> rowsBehind(int64_t position);
  std::pair<NarrowLists<NarrowColumns>*, Ticks> columnsBefore(int64_t position);
  /// Anchors at layouts of a block, for bounds of skips to there or from there;
  /// nothing if it has no skip.
  using SkipsAt = Values (PricedChain::*)(Layout) const;
  std::function<SkipAnchor(Layout)> anchorsOf(int64_t block,
                                              SkipPotential ofSkip,
                                              SkipsAt skipsAt) const;
  /// Where the values of a trail are taken from for lists at `position`: at
  /// one of few positions, the fewer the farther from where the trail begins,
  /// since values change less there. And how much higher they are at `position`
  /// at least.
  int64_t nearby(Side side, int64_t position) const;
  Ticks above(Side side, int64_t position, int64_t other);

  void carryCosts();
  const std::map<Layout, Row>& rowsAt(int64_t position) const {
    return search_->rows().ofBlock(priced_->blockAt(position));
  }
  const Trail& trail(Side side) const;
  /// What is known of f or g at a place.
  Ticks leastOf(Side side, Place place) const;
  Range rangeOf(Side side, Place place) const;
  /// The most that f or g is there: by plans that come from a layout with a
  /// row, or lead to the plan of the search.
  Ticks mostOf(Side side, Place place) const;
  Ticks mostBefore(Place place) const;
  Ticks mostBehind(Place place) const;
  Ticks mostBehindLast(Layout layout, const Row& row);
  /// Bounds of all layouts at a position, with what was found out.
  Values bounds(Side side, int64_t position) const;

  const PricedChain* priced_;
  ExactSearch* search_;
  int64_t maxCrossed_, crossed_ = 0;
  // How much more than is known of it a way outside is followed for.
  Ticks further_ = 0;
  // Per position, what plans through layouts with rows pay before these, and
  // behind them, in the order of rows.
  std::vector<std::vector<Ticks>> before_, behind_;
  // The same behind the last position, where nothing was raised.
  std::map<Layout, Ticks> behindLast_;
  // Columns of blocks that lead to layouts of the plan.
  std::map<std::pair<int64_t, Layout>, Values> columns_;
  std::map<Place, Range> known_[2];
  // Crossings: block, from and to.
  std::map<std::tuple<int64_t, Layout, Layout>, Ticks> named_, raised_;

  FewMoves moves_, movesBack_;
  size_t most_;  // layouts at which a narrow row or column looks
  std::vector<std::shared_ptr<const ResultsByOperand>> results_;  // per block
  std::map<std::pair<int64_t, int64_t>, Ticks> above_[2];         // by keys
  // By block and key of a trail.
  using ListsName = std::pair<int64_t, int64_t>;
  std::map<ListsName, NarrowLists<NarrowRows>> rowLists_;
  std::map<ListsName, NarrowLists<NarrowColumns>> columnLists_;
  // What this pin has listed in whole.
  std::map<Place, ListedCrossings> whole_[2];
  std::map<int64_t, NamedRows<Ticks>> namers_;  // by block
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_WHATIF_H_
