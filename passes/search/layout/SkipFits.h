// Starts and ends of a block that fit together: a skip leads from the coloured
// layout of the start to that of the end.
//
// From a pinned result, coloured layouts are followed back to the start of the
// block and ahead to its end (NamedPin.h). The skip joins both. The costs
// before and after the block are lower bounds, and are raised again and again,
// mostly for one layout at a time. So the skip is first followed from all
// starts at once, which bounds the cost of every end. The skip is then followed
// back, from the end that seems the cheapest, to all starts that fit. These
// fits stay valid whatever is raised.
//
// After costs before the block have been raised, ends may seem cheaper than
// they are. When following the skip back has taken as much work as following it
// from all starts, the skip is followed from all starts anew.

#ifndef PASSES_SEARCH_LAYOUT_SKIPFITS_H_
#define PASSES_SEARCH_LAYOUT_SKIPFITS_H_

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/layout/FewColoured.h"

namespace sbp::search {

/// The fits of one block with a pin.
class SkipFits {
 public:
  using Few = FewColoured<Ticks>;

  /// Lower bounds per layout: of the cost before the block (`come`) and after
  /// it (`rest`), which may be raised meanwhile; and, by counts of axes and
  /// never above the true ones, of the cost up to the end of the skip
  /// (`toSkip`) and from its start (`ofSkip`).
  struct Surroundings {
    const Values& come;
    const Values& rest;
    const Values& toSkip;
    const Values& ofSkip;
  };

  /// `ahead` and `back` are the moves of the whole space in both directions.
  /// All arguments must outlive this object.
  SkipFits(const PricedChain& priced, const ColourCodes& codes,
           const FewMoves& ahead, const FewMoves& back, Surroundings around);

  /// Sets the starts and ends: all that ways up to `limit` pass, with the costs
  /// of the branch to the pinned op and from it. Both may have grown since the
  /// last call, but their entries must not have changed. Both must outlive the
  /// fits between them.
  void between(const Few& starts, const Few& ends, Ticks limit);
  /// Must be called after a cost before the block was raised.
  void raisedCome() { isSkipTrue_ = false; }

  /// A start and an end that fit, and the cost of the whole way.
  struct Fit {
    Layout from = 0, to = 0;
    Ticks cost = kNever;
  };
  /// Returns the cheapest fit if it costs at most `limit`; otherwise a fit with
  /// the cost kNever. Returns nullopt if that takes too many coloured layouts.
  std::optional<Fit> cheapest(Ticks limit);

 private:
  /// The ends with one layout without colours.
  struct End {
    Layout to = 0;
    std::vector<const Few::Entry*> coloured;
    // Lower bounds of the cost up to here, additions included: by the skip from
    // all starts, and by later findings.
    Ticks joint = kNever, found = -kNever;
    // Starts that fit, with the cost from there to here; complete for costs up
    // to `upTo`.
    std::vector<std::pair<Layout, Ticks>> starts;
    Ticks upTo = -kNever;

    Ticks least() const { return std::max(joint, found); }
  };
  /// Returns the cheapest known start of an end, and the cost up to the end.
  std::pair<Layout, Ticks> startOf(const End& end) const;
  /// Follows the skip from all starts at once, within `limit`.
  bool takeSkip(Ticks limit);
  /// Updates the bounds of all ends.
  void joinEnds();
  /// Follows the skip back from an end, within `limit`.
  bool takeSkipBack(Ticks limit, End& end);

  const PricedChain* priced_;
  Surroundings around_;
  ColouredSteps<Ticks> ahead_, back_;
  // All starts and ends of ways up to limit_.
  const Few* starts_ = nullptr;
  std::vector<End> ends_;
  Ticks limit_ = -kNever;
  // Coloured layouts on the skip from the first numStarts_ starts: the starts
  // of ways up to startLimit_, followed within skipLimit_. isSkipTrue_: whether
  // costs before have not been raised since.
  Few passed_;
  std::size_t numStarts_ = 0;
  Ticks startLimit_ = -kNever, skipLimit_ = -kNever;
  bool isSkipTrue_ = true;
  // Number of coloured layouts that were passed back from single ends since
  // then.
  std::size_t numPassedBack_ = 0;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_SKIPFITS_H_
