// What plans with a pin cost at least, for axes that have names.
//
// A crossing tells axes apart by their kinds where its block starts
// (Crossing.h). Where an op is pinned, they are told apart by their kinds in
// what that op leaves instead: that is one layout, wherever a crossing starts
// and ends. From there coloured layouts are followed back to the start of the
// block and ahead to its end, and from all of the former along the skip to the
// latter. So one search finds the cheapest of all crossings with the pin.
//
// It is exact. All axes of a colour are alike in the pinned result, so what is
// before it may be done with any of them, and so may what is behind it: with
// those that make the ends fit the skip.
//
// How many coloured layouts matter grows fast with the limit. So a limit is
// best that some way is known to keep. Ends that do not fit up to some limit
// may fit with a longer skip: what that costs is such a limit. Up to the next
// limit what has been followed is followed farther.

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

class NamedPin {
 public:
  /// `come` has for every layout what is paid at least before the block has its
  /// pinned op, `rest` what is left behind it; `ahead` and `back` are the moves
  /// of the whole space in both directions. The walk must be able to run; all
  /// but values must outlive this.
  NamedPin(const PricedChain& priced, const PinnedWalk& pinned,
           const FewMoves& ahead, const FewMoves& back, Values come,
           Values rest);
  NamedPin(const NamedPin&) = delete;

  /// A way with the pin from before the block to behind it, what it costs in
  /// all, and what of that is paid before and behind.
  struct Way {
    Ticks cost = kNever, come = kNever, rest = kNever;
    Layout from = 0, to = 0;
  };
  /// The cheapest by counts of axes, before anything is raised.
  const Way& counted() const { return counted_; }
  /// The cheapest, if it costs no more than `limit`; else a cost of never.
  /// Nothing if it takes too many coloured layouts to find out.
  std::optional<Way> cheapest(Ticks limit);
  /// Where that found none, the cheapest way with a longer skip between what
  /// has been followed, if it costs no more than `limit`; else a cost of never.
  Way offered(Ticks limit);

  /// Raises what is paid at least before the block, or left behind it; whether
  /// it was less.
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
  /// The cheapest by counts of axes, if that is paid where the skip ends.
  Way join(const Values& toSkip) const;
  /// Follows what ways up to a limit can use; false if that is too many.
  bool follow(Ticks limit);
  bool goBack(Ticks limit);
  bool goAhead(Ticks limit);
  std::size_t numFollowed() const;
  /// Finds what is left, and was paid, for each phase of moves.
  void boundByPhase();
  std::optional<Way> cheapestFit(Ticks limit);

  const PricedChain* priced_;
  const PinnedWalk* pinned_;
  ColourCodes codes_;
  Values come_, rest_;
  // By counts of axes, and at least: what is paid where the skip has come to a
  // layout, and what is left from there; and what the pin leaves to pay on each
  // leg, skip included, to the end of the block and back to its start.
  Values toSkip_, ofSkip_;
  std::vector<Values> ahead_, back_;
  Way counted_;
  // The same by phases of moves, once that is worth while.
  std::vector<ValuesByPhase> aheadByPhase_, backByPhase_;
  ColouredSteps<Ticks> stepsAhead_, stepsBack_;
  // What ways up to a limit can use: the pinned result, and coloured layouts on
  // each leg, from the block's start and from the result on.
  Ticks limit_ = -kNever;
  Few result_;
  std::vector<Few> legsBack_, legsAhead_;
  SkipFits fits_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NAMEDPIN_H_
