// The values of a dynamic program at every position of a chain, kept as few.
//
// Along equal blocks the values soon repeat, but for a constant: what another
// layer costs. From then on nothing is computed, and a position is a reference
// to known values and an offset. So depth costs next to nothing.
//
// Nothing is assumed for that: values are computed until those of a position
// equal, layout by layout and to the last bit, those of an earlier position
// plus a constant. What follows from equal values by equal blocks is equal.
//
// Values of layouts that no good plan passes may take long to repeat: each
// block makes a detour to them a little dearer. So after some periods all are
// lowered to what they were one or more periods before and the least that any
// has gained since, if that is what the cheapest have gained. Bounds are still
// bounds, and they repeat from there on.

#ifndef PASSES_SEARCH_LAYOUT_TRAIL_H_
#define PASSES_SEARCH_LAYOUT_TRAIL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "passes/search/layout/Passable.h"
#include "passes/search/layout/Walk.h"

namespace sbp::search {

class Trail {
 public:
  enum class Direction { Forward, Backward };

  /// What a block makes of the values at one of its ends, where only those of
  /// some layouts are asked for (null: of all) and others are never.
  using Step = std::function<Values(int64_t block, const Values& values,
                                    const std::vector<Layout>* to)>;

  /// Values that are known, one layout of each position.
  using Known = std::vector<std::pair<Layout, Ticks>>;

  /// Starts with `values` at the first position (or the last, backwards), and
  /// passes one block after the other. `blocks` has the block of every step,
  /// `periods` after how many steps blocks repeat there. `passable` says which
  /// layouts are asked for; all, if it is null.
  /// Where values are bounds, those that are `known` to be higher are raised;
  /// and all are lowered when they have not repeated for `mostPeriods`.
  Trail(Direction direction, Values values, const std::vector<int64_t>& blocks,
        const std::vector<int64_t>& periods,
        std::shared_ptr<const Passable> passable, const Step& step,
        const Known& known, int64_t mostPeriods);

  Ticks at(int64_t position, Layout layout) const;

  /// The values of a position up to a constant, its offset.
  std::shared_ptr<const Values> valuesAt(int64_t position) const {
    return whole(places_[position].values);
  }
  Ticks offsetAt(int64_t position) const { return places_[position].offset; }
  /// Positions with the same values have the same key.
  int64_t keyAt(int64_t position) const { return places_[position].values; }
  /// How many values differ.
  size_t numValues() const { return stored_.size(); }

 private:
  struct Place {
    int64_t values = 0;
    Ticks offset = 0;
  };
  /// Values of all layouts, or of few.
  struct Stored {
    const std::vector<Layout>* layouts = nullptr;
    std::shared_ptr<const Values> values;
  };

  /// Where values were a period before those of `made`, but for a constant; or,
  /// if `mostPeriods` are more than one, where they may be lowered to which
  /// were so many periods before at most and gained the most per period since.
  /// `made` is at `position`, above `offset`; a period is negative backwards.
  std::optional<Place> earlierLike(const Stored& made, Ticks offset,
                                   int64_t position, int64_t period,
                                   int64_t mostPeriods) const;
  std::shared_ptr<const Values> whole(int64_t key) const;
  Stored stored(Values values, int64_t position) const;
  const std::vector<Layout>* layoutsAt(int64_t position) const;

  std::shared_ptr<const Passable> passable_;
  size_t numLayouts_;
  std::vector<Stored> stored_;
  std::vector<Place> places_;
};

/// What a plan pays at least that passes some layout at a position, and some
/// layout behind: the values of a forward trail and of a backward one, and an
/// offset.
struct Meeting {
  int64_t position = 0;  // of the forward trail
  Ticks offset = kNever;
};

/// Where two trails meet, the backward one `steps` positions behind each of the
/// forward one's `positions`. Positions at which both have the same values are
/// one meeting, with the least offset among them: where values were lowered,
/// what a block adds may differ on both sides.
struct Meetings {
  std::vector<Meeting> all;
  std::vector<int64_t> ofPosition;  // per position that was given, in `all`
};
Meetings meetingsOf(const Trail& forward, const Trail& backward,
                    const std::vector<int64_t>& positions, int64_t steps);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_TRAIL_H_
