// Values of a few coloured layouts, and steps between coloured layouts.
//
// This is like FewLayouts.h, but axes are distinguished by their kinds at the
// start of a block (ColourCodes.h). There are too many coloured layouts to list
// their moves: moves are found when a layout is reached. Bounds of the
// remaining cost, by layouts without colours, say which layouts matter. A move
// without colours is the same for several choices of the colours of the axes
// that it moves. If it stays within the budget, it is taken for each choice
// that the coloured layout allows.
//
// The values are costs (time plus a price for every byte), or fronts
// (non-dominated pairs of time and bytes).

#ifndef PASSES_SEARCH_LIFTING_FEWCOLOURED_H_
#define PASSES_SEARCH_LIFTING_FEWCOLOURED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "passes/search/chain/Paid.h"
#include "passes/search/chain/PricedChain.h"
#include "passes/search/redistribution/FewLayouts.h"
#include "passes/search/symmetry/ColourCodes.h"

namespace sbp::search {

/// Values of a few coloured layouts. `Paid` is Ticks or Front (Paid.h).
template <typename Paid>
class FewColoured {
 public:
  /// A coloured layout, and its value.
  struct Entry {
    ColourCode code = 0;
    Layout plain = 0;  // the layout without colours
    Paid paid;
    Ticks least = kNever;  // least cost of `paid`
  };

  /// Entries in the order in which they were added.
  const std::vector<Entry>& all() const { return all_; }
  const Entry* find(ColourCode code) const {
    auto found = numbers_.find(code);
    return found == numbers_.end() ? nullptr : &all_[found->second];
  }
  /// Lowers the value of a layout. Returns its index if the value is lower now,
  /// otherwise nullopt.
  std::optional<std::size_t> lower(ColourCode code, Layout plain, Paid paid,
                                   Ticks least) {
    auto [number, isNew] =
        numbers_.try_emplace(code, static_cast<int32_t>(all_.size()));
    if (isNew) {
      all_.push_back({code, plain, std::move(paid), least});
      return number->second;
    }
    Entry& known = all_[number->second];
    if (!lowerTo(paid, known.paid)) return std::nullopt;
    known.least = std::min(known.least, least);
    return number->second;
  }
  void clear() {
    all_.clear();
    numbers_.clear();
  }
  /// Removes all entries, and adds one with nothing paid.
  void start(ColourCode code, Layout plain) {
    clear();
    lower(code, plain, nothingPaid<Paid>(), 0);
  }

 private:
  std::vector<Entry> all_;
  absl::flat_hash_map<ColourCode, int32_t> numbers_;
};

/// Most coloured layouts on a leg; a search with more is given up.
inline constexpr std::size_t kMostColoured = 1'000'000;

/// The layouts that matter: those whose value plus `left` is within the budget.
/// If more than `most` matter, the search is given up.
struct ColouredReach {
  const Values* left = nullptr;  // per plain layout
  Ticks budget = kNever;
  std::size_t most = 0;
};

/// Moves, and runs of ops, between the coloured layouts of one start.
template <typename Paid>
class ColouredSteps {
 public:
  using Few = FewColoured<Paid>;
  using Entry = typename Few::Entry;

  /// `moves` are those of the whole space, forward. All arguments must outlive
  /// this object.
  ColouredSteps(const PricedChain& priced, const ColourCodes& codes,
                const FewMoves& moves);

  /// Lowers values by moves, in the order of the normal form
  /// (Redistribution.h), without phases after `last`. Returns false if too many
  /// layouts matter. If `last` is before MakeTerms, the moves lead to an
  /// operand, which must not be Partial.
  bool relax(const Tariff& tariff, const ColouredReach& reach, Phase last,
             Few& values) const;
  /// Adds to `results` the values after op `op` of the block, from `operands`.
  void run(int64_t block, int64_t op, const ColouredReach& reach,
           const Few& operands, Few& results) const;

 private:
  /// The colours of a class of axes.
  using Colours = std::vector<const ColourCodes::Colour*>;
  /// A way to distribute the axes of a colour in a result, and the changes of
  /// kinds from the operand.
  struct ResultWay {
    int64_t way = 0;
    std::vector<std::pair<Kind, Kind>> changes;  // from and to, axis by axis
  };
  using ResultWays = std::vector<std::vector<ResultWay>>;  // per operand's way
  struct Moving;
  struct Sharing;

  /// Returns the kind of an axis in the operand of an op, per kind in the
  /// result; negative if the op does not leave this kind.
  std::vector<Kind> readsOf(int64_t block, int64_t op) const;
  /// Returns the way in the operand for way `way` in the result; negative if
  /// the op does not leave it.
  static int64_t operandWayOf(const Shares& shares, int64_t way,
                              const std::vector<Kind>& reads);
  static ResultWays resultWaysOf(const Shares& shares,
                                 const std::vector<Kind>& reads);

  /// Takes a step without colours in all colourings.
  void takeStep(int64_t level, Moving moving) const;
  /// Moves axes of this class and the classes after it, as many as the step
  /// does.
  void moveClass(const Moving& moving, const Colours* colours,
                 ColourCode code) const;
  /// Moves `taken` axes of a class, of its colours from `colour` on.
  void moveColour(const Moving& moving, const Colours* colours,
                  std::size_t colour, int64_t taken, ColourCode code) const;
  void share(const Sharing& sharing, std::size_t colour, ColourCode result,
             Layout plain) const;
  /// Lowers the value of a layout to that of `from` plus `ticks`, if it
  /// matters. Returns as Few::lower does.
  std::optional<std::size_t> lower(const ColouredReach& reach,
                                   const Entry& from, Ticks ticks,
                                   ColourCode code, Layout plain,
                                   Few& values) const;

  const PricedChain& priced_;
  const ColourCodes& codes_;
  const FewMoves& moves_;
  std::vector<std::vector<Colours>> levels_;  // colours per level and class
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LIFTING_FEWCOLOURED_H_
