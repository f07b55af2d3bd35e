// Few coloured layouts, and what it costs to come to each.
//
// Like FewLayouts.h, but axes are told apart by their kinds where a block
// starts (ColourCodes.h). There are too many coloured layouts to list their
// moves: those from one are found when it is reached. What is left to pay when
// colours are forgotten says which matter: of the listed moves without colours,
// those that stay within the budget are taken in all colours that can take
// them.
//
// What is paid is a cost by time and the price for bytes; or all times and
// bytes of which none is beaten in both, a front.

#ifndef PASSES_SEARCH_LAYOUT_FEWCOLOURED_H_
#define PASSES_SEARCH_LAYOUT_FEWCOLOURED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "passes/search/layout/ColourCodes.h"
#include "passes/search/layout/FewLayouts.h"
#include "passes/search/layout/Paid.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// Values of few coloured layouts. `Paid` is Ticks or Front.
template <typename Paid>
class FewColoured {
 public:
  struct Entry {
    ColourCode code = 0;
    Layout plain = 0;  // without colours
    Paid paid;
    Ticks least = kNever;  // of it, by the price for bytes
  };

  /// In the order in which they got values.
  const std::vector<Entry>& all() const { return all_; }
  const Entry* find(ColourCode code) const {
    auto found = numbers_.find(code);
    return found == numbers_.end() ? nullptr : &all_[found->second];
  }
  /// The number of the layout, if less is paid now.
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
  /// Leaves one layout, where nothing is paid yet.
  void start(ColourCode code, Layout plain) {
    clear();
    lower(code, plain, nothingPaid<Paid>(), 0);
  }

 private:
  std::vector<Entry> all_;
  absl::flat_hash_map<ColourCode, int32_t> numbers_;
};

/// A search among coloured layouts is given up when more than this matter on a
/// leg.
inline constexpr std::size_t kMostColoured = 1'000'000;

/// What a search with a smaller budget has followed: steps within that budget
/// from so many layouts, the first, need not be taken again.
struct ColouredBefore {
  Ticks budget = -kNever;
  std::size_t numLayouts = 0;
};

/// Which layouts matter: those from which what is left to pay is within the
/// budget, and how many at most.
struct ColouredReach {
  const Values* left = nullptr;  // per plain layout
  Ticks budget = kNever;
  std::size_t most = 0;
  ColouredBefore before = {};
  // The same where no phases follow but this one and those that come next, if
  // it is known: what is out of order leads nowhere.
  const ValuesByPhase* leftInPhase = nullptr;
};

/// Moves and runs of ops, between coloured layouts of one start; or, backward,
/// of one end.
template <typename Paid>
class ColouredSteps {
 public:
  using Few = FewColoured<Paid>;
  using Entry = typename Few::Entry;

  /// In the direction of `moves`, those of the whole space. All must outlive
  /// this.
  ColouredSteps(const PricedChain& priced, const ColourCodes& codes,
                const FewMoves& moves);

  /// Lowers values as moves allow it, in the order of the normal form; false if
  /// too many layouts matter. Phases after `last` are left out. Where none
  /// makes terms, they lead to an operand, and no op reads terms.
  bool relax(const Tariff& tariff, const ColouredReach& reach, Phase last,
             Few& values) const;
  /// Adds to `results` what an op of the block leaves that reads these.
  void run(int64_t block, int64_t op, const ColouredReach& reach,
           const Few& operands, Few& results) const;
  /// Adds to `operands` what is left from there, if `results` is what is left
  /// from the results.
  void runBack(int64_t block, int64_t op, const ColouredReach& reach,
               const Few& results, Few& operands) const;

 private:
  /// The colours of a class of axes.
  using Colours = std::vector<const ColourCodes::Colour*>;
  /// How axes of a colour may be shared out in a result, and which of them
  /// have another kind there than in the operand.
  struct ResultWay {
    int64_t way = 0;
    std::vector<std::pair<Kind, Kind>> changes;  // from and to, axis by axis
  };
  using ResultWays = std::vector<std::vector<ResultWay>>;  // per operand's way
  struct Moving;
  struct Sharing;

  /// What kind an axis has in an op's operand, by its kind in the result;
  /// negative if the op cannot leave it.
  std::vector<Kind> readsOf(int64_t block, int64_t op) const;
  /// How axes lie in the operand that lie like that in the result; negative if
  /// the op cannot leave it.
  static int64_t operandWayOf(const Shares& shares, int64_t way,
                              const std::vector<Kind>& reads);
  static ResultWays resultWaysOf(const Shares& shares,
                                 const std::vector<Kind>& reads);

  /// Takes a step without colours with all axes that could take it.
  void takeStep(int64_t level, Moving moving) const;
  /// Of a class of axes and those behind it, as many as the step takes.
  void moveClass(const Moving& moving, const Colours* colours,
                 ColourCode code) const;
  /// Of a class so many axes that have colours from `colour` on.
  void moveColour(const Moving& moving, const Colours* colours,
                  std::size_t colour, int64_t taken, ColourCode code) const;
  void share(const Sharing& sharing, std::size_t colour, ColourCode result,
             Layout plain) const;
  /// Lowers what is paid at a layout to what is paid at `from` and `ticks`
  /// more, if it matters.
  std::optional<std::size_t> lower(const ColouredReach& reach,
                                   const Entry& from, Ticks ticks,
                                   ColourCode code, Layout plain,
                                   Few& values) const;

  const PricedChain& priced_;
  const ColourCodes& codes_;
  const FewMoves& moves_;
  std::vector<std::vector<Colours>> levels_;  // by class
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_FEWCOLOURED_H_
