// Redistribution from and to a few layouts.
//
// A sweep (Redistribution.h) visits all layouts, millions on a large machine.
// If there is a limit of the total cost, and for every layout a lower bound of
// the remaining cost, then few layouts matter. They are visited one by one, in
// the same order of phases.

#ifndef PASSES_SEARCH_REDISTRIBUTION_FEWLAYOUTS_H_
#define PASSES_SEARCH_REDISTRIBUTION_FEWLAYOUTS_H_

#include <cstdint>
#include <vector>

#include "passes/search/redistribution/Redistribution.h"

namespace sbp::search {

/// Values of a few layouts; those of all other layouts are kNever.
class FewValues {
 public:
  explicit FewValues(int64_t numLayouts) : ticks_(numLayouts, kNever) {}

  Ticks operator[](Layout layout) const { return ticks_[layout]; }
  /// Layouts with values, in the order in which they got them.
  const std::vector<Layout>& layouts() const { return layouts_; }

  void lower(Layout layout, Ticks ticks) {
    if (ticks_[layout] == kNever) layouts_.push_back(layout);
    if (ticks < ticks_[layout]) ticks_[layout] = ticks;
  }
  void clear() {
    for (Layout layout : layouts_) ticks_[layout] = kNever;
    layouts_.clear();
  }

 private:
  std::vector<Ticks> ticks_;
  std::vector<Layout> layouts_;
};

/// A move after which a value stays within the budget, and its cost.
struct UsedMove {
  Layout from = 0, to = 0;
  Ticks ticks = 0;
};

/// The moves of a space, by their starts; or, backward, by their ends.
class FewMoves {
 public:
  enum class Direction { Forward, Backward };

  /// A move from a layout to another, as the difference of their indices.
  struct Step {
    int32_t difference = 0;
    int32_t collective = 0;
  };
  /// A range of steps.
  struct Steps {
    const Step* first = nullptr;
    const Step* last = nullptr;
    const Step* begin() const { return first; }
    const Step* end() const { return last; }
  };
  /// All moves of one phase and level. They are for stabiliser orbits
  /// (lifting/OrbitValues.h), which may need them in any order.
  struct PhaseMoves {
    Phase phase = Phase::Slice;
    int64_t level = 0;
    // Index in `steps` per part of the level (LayoutSpace.h), and the end.
    std::vector<int32_t> begins;
    std::vector<Step> steps;
  };

  /// `moves` must outlive this object.
  explicit FewMoves(const Redistribution& moves,
                    Direction direction = Direction::Forward);

  /// Lowers values as Redistribution::relax (or relaxBackward) does, but only
  /// of layouts whose value plus `left` (0 if null) is at most `budget`. Leaves
  /// out phases after `last`. Returns false if more than `most` layouts matter;
  /// then the values are useless. Appends to `used`, if not null, all moves
  /// after which values stay within the budget; each move is after the moves
  /// that lead to its start.
  bool relax(const Tariff& tariff, const std::vector<Ticks>* left, Ticks budget,
             Phase last, size_t most, FewValues& values,
             std::vector<UsedMove>* used = nullptr) const;

  Direction direction() const { return direction_; }
  /// Moves in the order of the normal form.
  const std::vector<PhaseMoves>& phaseMoves() const { return phaseMoves_; }
  Steps stepsFrom(const PhaseMoves& phaseMoves, Layout from) const {
    int32_t part = parts_[phaseMoves.level][from];
    return {phaseMoves.steps.data() + phaseMoves.begins[part],
            phaseMoves.steps.data() + phaseMoves.begins[part + 1]};
  }
  Ticks priceOf(const Tariff& tariff, const Step& step, Layout from) const {
    // The price depends on the bytes held before the move.
    Layout held =
        direction_ == Direction::Backward ? from + step.difference : from;
    return tariff.price(step.collective, heldIndices_[held]);
  }

 private:
  /// The moves of one phase and level, in an order in which one pass suffices.
  struct Pass {
    Phase phase = Phase::Slice;
    int64_t level = 0;
    std::vector<int32_t> begins;  // index in `steps` per part, and the end
    std::vector<Step> steps;
    // Rank per part from which steps start; steps lead to parts of higher
    // ranks.
    std::vector<int32_t> ranks;
    int32_t numRanks = 0;
  };

  /// Appends the moves of a pass, after its values are final.
  void listUsed(const Pass& pass, const Tariff& tariff,
                const std::vector<Ticks>* left, Ticks budget,
                const FewValues& values, std::vector<UsedMove>& used) const;
  void listPhaseMoves();

  const LayoutSpace* space_;
  Direction direction_;
  std::vector<Pass> passes_;
  std::vector<PhaseMoves> phaseMoves_;
  std::vector<int32_t> heldIndices_;         // per layout
  std::vector<std::vector<int32_t>> parts_;  // per level and layout
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_REDISTRIBUTION_FEWLAYOUTS_H_
