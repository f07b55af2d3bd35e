// The value functions of a dynamic program at every position of a chain, in
// compressed form: the cost-to-come from the head (forward), or the cost-to-go
// to the tail (backward).
//
// Along equal blocks the values soon repeat, except for a constant: the cost of
// another layer. From then on nothing is computed: a position is a reference to
// known values and an offset. So depth costs almost nothing.
//
// Repetition is not assumed: values are computed until those of a position
// equal those of an earlier position plus a constant, layout by layout and to
// the last bit. Equal values and equal blocks give equal values from there on.
//
// Values of layouts that no good plan passes may take long to repeat, because
// each block makes a detour to them a little more expensive. So after some
// periods (a period is the number of steps after which blocks repeat) all
// values are lowered: to the values of one or more periods before, plus one
// constant, the least increase of any layout's value since. This is done only
// if the cheapest layouts increased by no more. The values stay lower bounds,
// and repeat from there on.

#ifndef PASSES_SEARCH_CHAIN_VALUEFUNCTIONS_H_
#define PASSES_SEARCH_CHAIN_VALUEFUNCTIONS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "passes/search/chain/BlockOperator.h"
#include "passes/search/chain/SurvivingLayouts.h"

namespace sbp::search {

/// The values at all positions, from one end of a chain.
class ValueFunctions {
 public:
  enum class Direction { Forward, Backward };

  /// Carries values over a block. Only the values of the layouts in `to` are
  /// needed, or of all layouts if it is null; values of other layouts are
  /// kNever.
  using Step = std::function<Values(int64_t block, const Values& values,
                                    const std::vector<Layout>* to)>;

  /// Starts with `values` at the first position (Direction::Backward: at the
  /// last), and carries them over one block after the other. `blocks` has the
  /// block of every step, `periods` the number of steps after which blocks
  /// repeat there. `surviving` has the layouts whose values are needed; null:
  /// all. All values are lowered if they have not repeated for `mostPeriods`
  /// periods.
  ValueFunctions(Direction direction, Values values,
                 const std::vector<int64_t>& blocks,
                 const std::vector<int64_t>& periods,
                 std::shared_ptr<const SurvivingLayouts> surviving,
                 const Step& step, int64_t mostPeriods);

  Ticks at(int64_t position, Layout layout) const;

  /// Returns the values of a position, without its offset.
  std::shared_ptr<const Values> valuesAt(int64_t position) const {
    return whole(places_[position].values);
  }
  Ticks offsetAt(int64_t position) const { return places_[position].offset; }
  /// Returns a key of the values of a position. Equal keys mean equal values.
  int64_t keyAt(int64_t position) const { return places_[position].values; }
  /// Returns the number of distinct values.
  size_t numValues() const { return stored_.size(); }

 private:
  /// A position: the index of its values in stored_, and their offset.
  struct Place {
    int64_t values = 0;
    Ticks offset = 0;
  };
  /// Values of all layouts (null), or of few.
  struct Stored {
    const std::vector<Layout>* layouts = nullptr;
    std::shared_ptr<const Values> values;
  };

  /// Returns an earlier place whose values equal those of `made` except for a
  /// constant; it must be one period before. If `mostPeriods` is more than 1,
  /// returns also places up to so many periods before, to which values may be
  /// lowered; of these, the one with the largest gain per period. `made` is at
  /// `position`, relative to `offset`. `period` is negative backward.
  std::optional<Place> earlierLike(const Stored& made, Ticks offset,
                                   int64_t position, int64_t period,
                                   int64_t mostPeriods) const;
  std::shared_ptr<const Values> whole(int64_t key) const;
  Stored stored(Values values, int64_t position) const;
  const std::vector<Layout>* layoutsAt(int64_t position) const;

  std::shared_ptr<const SurvivingLayouts> surviving_;
  size_t numLayouts_;
  std::vector<Stored> stored_;
  std::vector<Place> places_;
};

/// A position of the cost-to-come, to which a position of the cost-to-go
/// belongs. A plan through a layout at each of the two costs at least the sum
/// of their stored values plus `offset`.
struct ValuePair {
  int64_t position = 0;  // of the cost-to-come
  Ticks offset = kNever;
};

/// The pairs of two value functions: the position of the cost-to-go is `steps`
/// after each of `positions`. Positions at which the stored values of both are
/// the same (ValueFunctions::keyAt) are one pair, with the least offset. (If
/// values were lowered, the gains per block may differ between the two.)
struct ValuePairs {
  std::vector<ValuePair> all;
  std::vector<int64_t> ofPosition;  // per given position, index in `all`
};
ValuePairs valuePairsOf(const ValueFunctions& costToCome,
                        const ValueFunctions& costToGo,
                        const std::vector<int64_t>& positions, int64_t steps);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_VALUEFUNCTIONS_H_
