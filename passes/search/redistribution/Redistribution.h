// The costs of bringing a tensor from any layout to any other, for all pairs at
// once.
//
// A move is one collective over axes of one level, or a local step:
//
//   all-gather      S -> B      reduce-scatter  P -> S     all-to-all  S -> S'
//   slice           B -> S      to partial      B -> P     pad         S -> P
//
// The last three are free. With n the bytes that a device holds before the
// move, and p the devices that take part, a gather takes (p-1) alpha + (p-1) n
// beta, and the other collectives (p-1) alpha + (p-1)/p n beta. An all-reduce
// is a reduce-scatter and a gather. A collective over several levels is one per
// level, in the cheapest order.
//
// Normal form. There is always a cheapest path that first slices, then
// reduce-scatters, then exchanges (all-to-all), then gathers, and last makes
// terms (to partial, pad). The reason: a move that shrinks the tensor makes
// later moves cheaper, so it comes first; a move that grows it comes last. Over
// p1 p2 devices two gathers (or reduce-scatters) are as good as one: the same
// bytes in fewer rounds. Only all-to-alls gain from taking several axes at
// once. Of reduce-scatters at two levels, the one with the smaller beta comes
// first, while there is more to send; of gathers, it comes last.
//
// So one *sweep* over all moves finds, for every y, the least of v(x) +
// distance(x, y) over all x. It takes the moves phase by phase, and in a phase
// level by level. No table of pairs is needed: with 33,600 layouts it would
// have 10^9 entries. Nor is a list of all moves needed: the moves of a level
// are listed for its parts (LayoutSpace.h), and are valid for all parts of the
// other levels.
//
// During a redistribution a tensor may be cut more finely than a dimension
// allows, because a message is cut as bytes. In operands and results, the ops
// say what is allowed.
//
// The prices are those of AutoDDL, table 2. The paper moves in a fixed order of
// three collectives.

#ifndef PASSES_SEARCH_REDISTRIBUTION_REDISTRIBUTION_H_
#define PASSES_SEARCH_REDISTRIBUTION_REDISTRIBUTION_H_

#include <optional>
#include <utility>
#include <vector>

#include "passes/search/redistribution/Ticks.h"
#include "passes/search/symmetry/LayoutSpace.h"

namespace sbp::search {

/// Prices of the moves of one tensor, each multiplied by a number of times.
class Tariff;

/// The phases of the normal form, in order.
enum class Phase { Slice, ReduceScatter, Exchange, Gather, MakeTerms };

/// Whether `phase` moves axes from kind `from` to kind `to`.
bool isMoveOf(Phase phase, const LayoutSpace& space, Kind from, Kind to);

/// One collective or local step of one tensor.
struct Move {
  Layout from = 0, to = 0;
  Phase phase = Phase::Slice;
  int64_t level = 0;
  double devices = 1;  // number that takes part
  Ticks ticks = 0;
};

/// The moves of a space, in the order of the normal form.
class Redistribution {
 public:
  /// `space` must outlive this object.
  explicit Redistribution(const LayoutSpace& space);

  const LayoutSpace& space() const { return *space_; }

  /// Returns the prices of moves of a tensor of `bytes`, `times` times each.
  Tariff tariff(double bytes, double times = 1) const;

  /// Lowers each values[y] to the least of values[x] + distance(x, y) over all
  /// layouts x, by moves of the phases from `first` to `last`.
  void relax(const Tariff& tariff, std::vector<Ticks>& values,
             Phase first = Phase::Slice, Phase last = Phase::MakeTerms) const;

  /// Does the same from the other end: lowers each values[x] to the least of
  /// distance(x, y) + values[y] over all y.
  void relaxBackward(const Tariff& tariff, std::vector<Ticks>& values,
                     Phase first = Phase::Slice,
                     Phase last = Phase::MakeTerms) const;

  /// Returns distance(from, y) for every y.
  std::vector<Ticks> distancesFrom(const Tariff& tariff, Layout from) const;
  /// Returns distance(x, to) for every x.
  std::vector<Ticks> distancesTo(const Tariff& tariff, Layout to) const;

  /// Returns the price of one move from `from`, over axes of `level` that make
  /// `devices` devices.
  Ticks price(const Tariff& tariff, Phase phase, int64_t level, double devices,
              Layout from) const;

  /// Returns phases and levels in the order in which a cheapest path visits
  /// them.
  std::vector<std::pair<Phase, int64_t>> order() const;

  /// Returns a cheapest path; empty if `from` equals `to`.
  std::vector<Move> path(const Tariff& tariff, Layout from, Layout to) const;

 private:
  friend class FewMoves;
  friend class Tariff;

  /// A collective; moves with the same collective have the same price.
  struct Collective {
    int64_t level = 0;
    double devices = 1;
    Traffic perByteHeld;  // rounds; volume as a fraction of the bytes held
  };

  /// A move of one level, between parts.
  struct Step {
    int32_t from = 0, to = 0;
    int32_t collective = 0;
    int32_t heldIndex = 0;  // of `from`
  };

  /// The steps of one phase at one level. Each step is after those that lead to
  /// its start.
  struct Pass {
    Phase phase = Phase::Slice;
    int64_t level = 0;
    std::vector<Step> steps;
  };

  /// Returns the collective of moves over axes of `level` that make `devices`
  /// devices; nullopt if they are free.
  std::optional<int64_t> collectiveOf(Phase phase, int64_t level,
                                      double devices) const;

  class Lister;
  void listSteps();

  void sweep(const std::vector<Pass>& passes, bool isBackward,
             const Tariff& tariff, std::vector<Ticks>& values, Phase first,
             Phase last) const;
  /// A range of layouts from `first` to `last`: all layouts, or those with one
  /// part of the outermost level.
  struct Range {
    int64_t first = 0, last = 0;
  };
  /// Runs passes of one level.
  void run(const Pass* begin, const Pass* end, bool isBackward,
           const Tariff& tariff, Range range, std::vector<Ticks>& values) const;
  void runFastestLevel(const Pass* begin, const Pass* end, bool isBackward,
                       const Tariff& tariff, Range range,
                       std::vector<Ticks>& values) const;
  /// Runs passes of any levels; consecutive passes of one level together.
  void runAll(const Pass* begin, const Pass* end, bool isBackward,
              const Tariff& tariff, Range range,
              std::vector<Ticks>& values) const;
  /// Returns the sum of the held indices of the parts of all levels but these
  /// two.
  int64_t heldBeside(int64_t layout, int64_t level,
                     std::optional<int64_t> inner) const;
  static void takeSteps(const Pass& pass, bool isBackward, const Tariff& tariff,
                        int64_t heldIndex, Ticks* values, int64_t stride,
                        int64_t length);

  const LayoutSpace* space_;
  std::vector<Collective> collectives_;
  std::vector<Pass> passes_, reversed_;
};

/// The prices of the moves of one tensor.
class Tariff {
 public:
  /// Returns the price of a collective if each device holds the fraction of the
  /// tensor that has index `heldIndex` (LayoutSpace::heldFractions).
  Ticks price(int64_t collective, int64_t heldIndex) const {
    return prices_[collective * numHeld_ + heldIndex];
  }

 private:
  friend class Redistribution;
  const Ticks* line(int64_t collective, int64_t heldIndex) const {
    return lines_.data() + lineBegins_[collective * numHeld_ + heldIndex];
  }

  int64_t numHeld_ = 0;
  std::vector<Ticks> prices_;
  // The same prices, for all parts of the level over which inner loops run.
  std::vector<int64_t> lineBegins_;
  std::vector<Ticks> lines_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_REDISTRIBUTION_REDISTRIBUTION_H_
