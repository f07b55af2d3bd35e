// Which starts of a block fit which ends of it along the skip.
//
// From a pinned result coloured layouts are followed back to where the block
// starts and ahead to where it ends (NamedPin.h). The skip joins them. What is
// paid before the block and left behind it is a bound only, and is raised again
// and again, mostly for one plain layout at a time. So the skip is taken from
// all starts at once first, which says of every end what it costs at least; and
// back from one end, to all starts that fit it, when none seems cheaper. These
// fits stay true whatever is raised.
//
// Where what is paid before has risen, ends may seem cheaper than they are.
// Once as much has been looked at for them as for all at once, the skip is
// taken from all starts again.

#ifndef PASSES_SEARCH_LAYOUT_SKIPFITS_H_
#define PASSES_SEARCH_LAYOUT_SKIPFITS_H_

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/layout/FewColoured.h"

namespace sbp::search {

class SkipFits {
 public:
  using Few = FewColoured<Ticks>;

  /// What is paid at least before a block and left behind it, per layout, to be
  /// raised meanwhile; and, by counts of axes and no more than that ever is,
  /// what is paid where the skip has come to a layout, and left from there.
  struct Surroundings {
    const Values& come;
    const Values& rest;
    const Values& toSkip;
    const Values& ofSkip;
  };

  /// `ahead` and `back` are the moves of the whole space in both directions.
  /// All must outlive this.
  SkipFits(const PricedChain& priced, const ColourCodes& codes,
           const FewMoves& ahead, const FewMoves& back, Surroundings around);

  /// Between these, of which the values are what the branch takes to the pinned
  /// op and from there: all that ways up to `limit` pass. There may be more of
  /// both than there were, but none may have changed. Both must outlive the
  /// fits between them.
  void between(const Few& starts, const Few& ends, Ticks limit);
  /// Says that what is paid before the block was raised.
  void raisedCome() { isSkipTrue_ = false; }

  /// A start and an end that fit, and what that costs in all.
  struct Fit {
    Layout from = 0, to = 0;
    Ticks cost = kNever;
  };
  /// The cheapest, if it costs no more than `limit`; else a cost of never.
  /// Nothing if it takes too many coloured layouts to find out.
  std::optional<Fit> cheapest(Ticks limit);

 private:
  /// Ends that are one layout without colours.
  struct End {
    Layout to = 0;
    std::vector<const Few::Entry*> coloured;
    // What it costs at least to come here, additions included: by the skip from
    // all starts, and by what has been found out since.
    Ticks joint = kNever, found = -kNever;
    // Starts that fit, and what is paid from there; all of those with which no
    // more than `upTo` is paid here.
    std::vector<std::pair<Layout, Ticks>> starts;
    Ticks upTo = -kNever;

    Ticks least() const { return std::max(joint, found); }
  };
  /// The cheapest start that is known of an end, and what is paid here then.
  std::pair<Layout, Ticks> startOf(const End& end) const;
  /// Takes the skip from all starts at once, as far as ways up to `limit` do.
  bool takeSkip(Ticks limit);
  /// Says of all ends what that says of them.
  void joinEnds();
  /// Takes it back from an end, as far as ways up to `limit` may.
  bool takeSkipBack(Ticks limit, End& end);

  const PricedChain* priced_;
  Surroundings around_;
  ColouredSteps<Ticks> ahead_, back_;
  // All starts and ends of ways up to a limit.
  const Few* starts_ = nullptr;
  std::vector<End> ends_;
  Ticks limit_ = -kNever;
  // Coloured layouts that the skip from so many starts, all of ways up to a
  // limit, passes as far as ways up to another do; and whether that is true
  // still.
  Few passed_;
  std::size_t numStarts_ = 0;
  Ticks startLimit_ = -kNever, skipLimit_ = -kNever;
  bool isSkipTrue_ = true;
  // How many were passed back from single ends since.
  std::size_t numPassedBack_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_SKIPFITS_H_
