// The least cost of plans with a pin, for axes that have names.
//
// A crossing colours axes by their kinds at the start of its block
// (Crossing.h). If an op is pinned, axes are coloured by their kinds in the
// result of this op instead. This result has one layout, whatever the start and
// the end of a crossing. From it, coloured layouts are followed back to the
// start of the block and ahead to its end, and the skip joins all starts with
// all ends. A way is a start, an end and the cost of the cheapest plan through
// both and the pin. So one search finds the cheapest of all crossings with the
// pin.
//
// The search is exact. All axes of a colour are alike in the pinned result. So
// the part of the branch before the pin may use any of them, and so may the
// part after it. The two choices are made such that one skip fits both the
// start and the end.
//
// Only ways up to a limit of the cost are followed, and the number of their
// coloured layouts grows fast with the limit. So the best limit is the cost of
// a way that is known to exist. A start and an end that do not fit within a
// limit may fit by a longer skip; the cost of this way is a good next limit.
// The search with the next limit goes on from the layouts of the one before.

#ifndef PASSES_SEARCH_LAYOUT_NAMEDPIN_H_
#define PASSES_SEARCH_LAYOUT_NAMEDPIN_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "passes/search/layout/FewColoured.h"
#include "passes/search/layout/PinnedWalk.h"
#include "passes/search/layout/SkipFits.h"

namespace sbp::search {

/// The search for the cheapest way with one pin.
class NamedPin {
 public:
  /// Per layout, `come` has a lower bound of the cost before the block with the
  /// pinned op, and `rest` a lower bound of the cost after it. `ahead` and
  /// `back` are the moves of the whole space (Terrain in Walk.h) in both
  /// directions. The walk must be able to run (PinnedWalk::canRun). All
  /// arguments but the values must outlive this object.
  NamedPin(const PricedChain& priced, const PinnedWalk& pinned,
           const FewMoves& ahead, const FewMoves& back, Values come,
           Values rest);
  NamedPin(const NamedPin&) = delete;

  /// A way with the pin: its whole cost, and the parts of it before and after
  /// the block.
  struct Way {
    Ticks cost = kNever, come = kNever, rest = kNever;
    Layout from = 0, to = 0;
  };
  /// Returns the cheapest way by counts of axes, before any bound is raised.
  const Way& counted() const { return counted_; }
  /// Returns the cheapest way if it costs at most `limit`; otherwise a way with
  /// the cost kNever. Returns nullopt if the search takes too many coloured
  /// layouts.
  std::optional<Way> cheapest(Ticks limit);
  /// Must be called after cheapest() found no way. Returns the cheapest way
  /// between the starts and ends that cheapest() has reached, with a longer
  /// skip, if it costs at most `limit`; otherwise a way with the cost kNever.
  Way offered(Ticks limit);

  /// Raise the bound of the cost before or after the block. Return whether it
  /// was lower before.
  bool raiseCome(Layout from, Ticks ticks) {
    bool isLess = raise(ticks, come_[from]);
    if (isLess) fits_.raisedCome();
    return isLess;
  }
  bool raiseRest(Layout to, Ticks ticks) { return raise(ticks, rest_[to]); }

 private:
  using Few = FewColoured<Ticks>;

  static bool raise(Ticks ticks, Ticks& known) {
    bool isLess = known < ticks;
    known = std::max(known, ticks);
    return isLess;
  }

  Way wayOf(Ticks cost, Layout from, Layout to) const {
    return {cost, come_[from], rest_[to], from, to};
  }
  /// Returns the cheapest way by counts of axes, given the cost up to the end
  /// of the skip.
  Way join(const Values& toSkip) const;
  /// Follows all that ways up to `limit` can use. Returns false if that is too
  /// much.
  bool follow(Ticks limit);
  bool goBack(Ticks limit);
  bool goAhead(Ticks limit);
  std::size_t numFollowed() const;
  /// Computes the bounds by phase of moves.
  void boundByPhase();
  std::optional<Way> cheapestFit(Ticks limit);

  const PricedChain* priced_;
  const PinnedWalk* pinned_;
  ColourCodes codes_;
  Values come_, rest_;
  // Lower bounds by counts of axes: the cost where the skip has come to a
  // layout, and the cost left from there; and on each leg, from the pin to the
  // end of the block or back to its start, the cost left, skip included.
  Values toSkip_, ofSkip_;
  std::vector<Values> ahead_, back_;
  Way counted_;
  // The same bounds by phase of moves; empty until they pay off.
  std::vector<ValuesByPhase> aheadByPhase_, backByPhase_;
  ColouredSteps<Ticks> stepsAhead_, stepsBack_;
  // All that ways up to limit_ can use: the pinned result, and coloured layouts
  // on each leg, from the block's start and from the result on.
  Ticks limit_ = -kNever;
  Few result_;
  std::vector<Few> legsBack_, legsAhead_;
  SkipFits fits_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NAMEDPIN_H_
