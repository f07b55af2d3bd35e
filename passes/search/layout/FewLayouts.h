// Redistribution from few layouts, of which only few are worth reaching.
//
// A sweep (Redistribution.h) goes through all layouts, millions on a large
// machine. If it is known for every layout what is left to pay from there at
// least, and how much may be paid at most, few are worth a look: those are
// followed one by one, in the same order of phases.

#ifndef PASSES_SEARCH_LAYOUT_FEWLAYOUTS_H_
#define PASSES_SEARCH_LAYOUT_FEWLAYOUTS_H_

#include <cstdint>
#include <vector>

#include "passes/search/layout/Redistribution.h"

namespace sbp::search {

/// Values of few layouts; those of others are never.
class FewValues {
 public:
  explicit FewValues(int64_t numLayouts) : ticks_(numLayouts, kNever) {}

  Ticks operator[](Layout layout) const { return ticks_[layout]; }
  /// The layouts with values, in the order in which they got them.
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

/// A move with which values stay within the budget, and what it takes.
struct UsedMove {
  Layout from = 0, to = 0;
  Ticks ticks = 0;
};

/// The moves of a space, by where they start; or, backward, by where they end.
class FewMoves {
 public:
  enum class Direction { Forward, Backward };

  /// A move from a layout to another, by the difference of their numbers.
  struct Step {
    int32_t difference = 0;
    int32_t collective = 0;
  };
  struct Steps {
    const Step* first = nullptr;
    const Step* last = nullptr;
    const Step* begin() const { return first; }
    const Step* end() const { return last; }
  };
  /// All moves of one phase and level. Axes that are told apart may have to
  /// take them in any order.
  struct Stage {
    Phase phase = Phase::Slice;
    int64_t level = 0;
    std::vector<int32_t> begins;  // per part, and one more
    std::vector<Step> steps;
  };

  /// `moves` must outlive this.
  explicit FewMoves(const Redistribution& moves,
                    Direction direction = Direction::Forward);

  /// Like Redistribution::relax (or relaxBackward), but only layouts count for
  /// which their value and what is `left` (nothing, if null) is at most
  /// `budget`. Phases after `last` are left out. False if that are more than
  /// `most`: then values are of no use. Appends all moves to `used`, if there
  /// is one, with which values stay within the budget, each after those that
  /// lead to where it starts.
  bool relax(const Tariff& tariff, const std::vector<Ticks>* left, Ticks budget,
             Phase last, size_t most, FewValues& values,
             std::vector<UsedMove>* used = nullptr) const;

  Direction direction() const { return direction_; }
  /// In the order of the normal form.
  const std::vector<Stage>& stages() const { return stages_; }
  Steps stepsFrom(const Stage& stage, Layout from) const {
    int32_t part = parts_[stage.level][from];
    return {stage.steps.data() + stage.begins[part],
            stage.steps.data() + stage.begins[part + 1]};
  }
  Ticks priceOf(const Tariff& tariff, const Step& step, Layout from) const {
    // The price is that of what is held before the move.
    Layout held =
        direction_ == Direction::Backward ? from + step.difference : from;
    return tariff.price(step.collective, heldIndices_[held]);
  }

 private:
  struct Pass {
    Phase phase = Phase::Slice;
    int64_t level = 0;
    std::vector<int32_t> begins;  // per part, and one more
    std::vector<Step> steps;
    // Per part from which steps start: these lead to higher ones.
    std::vector<int32_t> ranks;
    int32_t numRanks = 0;
  };

  /// Appends the moves of a pass, once all values are as low as it makes them.
  void listUsed(const Pass& pass, const Tariff& tariff,
                const std::vector<Ticks>* left, Ticks budget,
                const FewValues& values, std::vector<UsedMove>& used) const;
  void listStages();

  const LayoutSpace* space_;
  Direction direction_;
  std::vector<Pass> passes_;
  std::vector<Stage> stages_;
  std::vector<int32_t> heldIndices_;         // per layout
  std::vector<std::vector<int32_t>> parts_;  // per level and layout
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_FEWLAYOUTS_H_
