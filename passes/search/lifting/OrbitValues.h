// Values of a few stabiliser orbits, and steps between stabiliser orbits.
//
// This is like FewLayouts.h, but axes are distinguished by their kinds at the
// start of a block (OrbitCodes.h). There are too many stabiliser orbits to list
// their moves: moves are found when an orbit is reached. Bounds of the
// remaining cost, by layouts, say which orbits matter. A move between layouts
// is the same for several choices of the axis orbits of the axes that it moves.
// If it stays within the budget, it is taken for each choice that the
// stabiliser orbit allows.
//
// The values are costs (time plus a price for every byte), or fronts
// (non-dominated pairs of time and bytes).

#ifndef PASSES_SEARCH_LIFTING_ORBITVALUES_H_
#define PASSES_SEARCH_LIFTING_ORBITVALUES_H_

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
#include "passes/search/symmetry/OrbitCodes.h"

namespace sbp::search {

/// Values of a few stabiliser orbits. `Paid` is Ticks or Front (Paid.h).
template <typename Paid>
class OrbitValues {
 public:
  /// A stabiliser orbit, and its value.
  struct Entry {
    OrbitCode code = 0;
    Layout plain = 0;  // the layout of the orbit
    Paid paid;
    Ticks least = kNever;  // least cost of `paid`
  };

  /// Entries in the order in which they were added.
  const std::vector<Entry>& all() const { return all_; }
  const Entry* find(OrbitCode code) const {
    auto found = numbers_.find(code);
    return found == numbers_.end() ? nullptr : &all_[found->second];
  }
  /// Lowers the value of a layout. Returns its index if the value is lower now,
  /// otherwise nullopt.
  std::optional<std::size_t> lower(OrbitCode code, Layout plain, Paid paid,
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
  void start(OrbitCode code, Layout plain) {
    clear();
    lower(code, plain, nothingPaid<Paid>(), 0);
  }

 private:
  std::vector<Entry> all_;
  absl::flat_hash_map<OrbitCode, int32_t> numbers_;
};

/// Most stabiliser orbits on a stage; a search with more is given up.
inline constexpr std::size_t kMostOrbits = 1'000'000;

/// The layouts that matter: those whose value plus `left` is within the budget.
/// If more than `most` matter, the search is given up.
struct OrbitBudget {
  const Values* left = nullptr;  // per plain layout
  Ticks budget = kNever;
  std::size_t most = 0;
};

/// Moves, and runs of ops, between the stabiliser orbits of one start.
template <typename Paid>
class OrbitSteps {
 public:
  using Few = OrbitValues<Paid>;
  using Entry = typename Few::Entry;

  /// `moves` are those of the whole space, forward. All arguments must outlive
  /// this object.
  OrbitSteps(const PricedChain& priced, const OrbitCodes& codes,
             const FewMoves& moves);

  /// Lowers values by moves, in the order of the normal form
  /// (Redistribution.h), without phases after `last`. Returns false if too many
  /// layouts matter. If `last` is before MakeTerms, the moves lead to an
  /// operand, which must not be Partial.
  bool relax(const Tariff& tariff, const OrbitBudget& threshold, Phase last,
             Few& values) const;
  /// Adds to `results` the values after op `op` of the block, from `operands`.
  void run(int64_t block, int64_t op, const OrbitBudget& threshold,
           const Few& operands, Few& results) const;

 private:
  /// The axis orbits of a class of axes.
  using AxisOrbits = std::vector<const OrbitCodes::AxisOrbit*>;
  /// A way to distribute the axes of an axis orbit in a result, and the changes
  /// of kinds from the operand.
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

  /// Takes a step between layouts for all choices of axis orbits.
  void takeStep(int64_t level, Moving moving) const;
  /// Moves axes of this class and the classes after it, as many as the step
  /// does.
  void moveClass(const Moving& moving, const AxisOrbits* axisOrbits,
                 OrbitCode code) const;
  /// Moves `taken` axes of a class, of its axis orbits from `axisOrbit` on.
  void moveOrbit(const Moving& moving, const AxisOrbits* axisOrbits,
                 std::size_t axisOrbit, int64_t taken, OrbitCode code) const;
  void share(const Sharing& sharing, std::size_t axisOrbit, OrbitCode result,
             Layout plain) const;
  /// Lowers the value of a layout to that of `from` plus `ticks`, if it
  /// matters. Returns as Few::lower does.
  std::optional<std::size_t> lower(const OrbitBudget& threshold,
                                   const Entry& from, Ticks ticks,
                                   OrbitCode code, Layout plain,
                                   Few& values) const;

  const PricedChain& priced_;
  const OrbitCodes& codes_;
  const FewMoves& moves_;
  std::vector<std::vector<AxisOrbits>>
      levels_;  // axis orbits per level and class
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LIFTING_ORBITVALUES_H_
