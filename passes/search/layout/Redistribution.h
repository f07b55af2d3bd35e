// What it costs to bring a tensor from any layout to any other, for all pairs
// at once.
//
// A move is one collective over axes of one level, or a local step:
//
//   all-gather      S -> B      reduce-scatter  P -> S     all-to-all  S -> S'
//   slice           B -> S      to partial      B -> P     pad         S -> P
//
// the last three free. n is what a device holds before, p the devices that take
// part: a gather takes (p-1) alpha + (p-1) n beta, the others (p-1) alpha +
// (p-1)/p n beta. An all-reduce is a reduce-scatter and a gather; a collective
// over several levels is one per level, in the cheapest order.
//
// Normal form. There is always a cheapest path that first slices, then
// reduce-scatters, then exchanges, then gathers, and last makes terms: a move
// that shrinks what is held makes the later ones cheaper, and one that grows it
// the earlier ones do not mind. Over p1 p2 devices, two gathers (or
// reduce-scatters) are as good as one: the same bytes, fewer rounds. Only
// all-to-alls gain from taking several axes at once. Of reduce-scatters at two
// levels, that with the smaller beta comes first, while there is more to send;
// of gathers, it comes last.
//
// So the least of v(x) + distance(x, y) over all x, for every y, takes one
// *sweep*: phase by phase, and in a phase level by level. No table of pairs is
// needed, and none is kept: with 33,600 layouts it would have 10^9 entries.
// Nor is a list of all moves: moves of a level are listed for its parts, and
// hold whatever the parts of the other levels are.
//
// On its way a tensor may be cut finer than a dimension allows: a message is
// cut as bytes. Where it rests, the ops say what is allowed.
//
// Source: AutoDDL, table 2 for the prices. The paper moves in a fixed order of
// three collectives.

#ifndef PASSES_SEARCH_LAYOUT_REDISTRIBUTION_H_
#define PASSES_SEARCH_LAYOUT_REDISTRIBUTION_H_

#include <optional>
#include <utility>
#include <vector>

#include "passes/search/layout/Space.h"
#include "passes/search/layout/Ticks.h"

namespace sbp::search {

/// What the moves of one tensor cost, `times` times each.
class Tariff;

enum class Phase { Slice, ReduceScatter, Exchange, Gather, MakeTerms };

/// Whether axes may go from one kind to the other in a phase.
bool isMoveOf(Phase phase, const LayoutSpace& space, Kind from, Kind to);

/// One collective or local step of one tensor.
struct Move {
  Layout from = 0, to = 0;
  Phase phase = Phase::Slice;
  int64_t level = 0;
  double devices = 1;  // that take part
  Ticks ticks = 0;
};

/// The steps of a space, in the order of the normal form.
class Redistribution {
 public:
  /// `space` must outlive this.
  explicit Redistribution(const LayoutSpace& space);

  const LayoutSpace& space() const { return *space_; }

  /// Prices of moves of a tensor of `bytes` that moves `times` times.
  Tariff tariff(double bytes, double times = 1) const;

  /// Lowers each values[y] to the least of values[x] + distance(x, y) over all
  /// layouts x, by moves of the phases from `first` to `last`.
  void relax(const Tariff& tariff, std::vector<Ticks>& values,
             Phase first = Phase::Slice, Phase last = Phase::MakeTerms) const;

  /// Raises the question from the other end: values[x] becomes the least of
  /// distance(x, y) + values[y] over all y.
  void relaxBackward(const Tariff& tariff, std::vector<Ticks>& values,
                     Phase first = Phase::Slice,
                     Phase last = Phase::MakeTerms) const;

  /// distance(from, y) for every y.
  std::vector<Ticks> distancesFrom(const Tariff& tariff, Layout from) const;
  /// distance(x, to) for every x.
  std::vector<Ticks> distancesTo(const Tariff& tariff, Layout to) const;

  /// What one move takes that starts from `from`, over axes that make `devices`
  /// devices of a level.
  Ticks price(const Tariff& tariff, Phase phase, int64_t level, double devices,
              Layout from) const;

  /// Phases and levels in the order in which a cheapest path goes through them.
  std::vector<std::pair<Phase, int64_t>> order() const;

  /// A cheapest path; empty when nothing changes.
  std::vector<Move> path(const Tariff& tariff, Layout from, Layout to) const;

 private:
  friend class FewMoves;
  friend class Tariff;

  /// What is priced alike.
  struct Collective {
    int64_t level = 0;
    double devices = 1;
    Traffic perByteHeld;  // rounds, and volume as part of what is held
  };

  /// A step of one level, from part to part.
  struct Step {
    int32_t from = 0, to = 0;
    int32_t collective = 0;
    int32_t heldIndex = 0;  // of `from`
  };

  /// Steps of one phase at one level, such that each comes after those that
  /// lead to where it starts.
  struct Pass {
    Phase phase = Phase::Slice;
    int64_t level = 0;
    std::vector<Step> steps;
  };

  /// The collective of moves over axes that make `devices` devices of a level;
  /// none if they are free.
  std::optional<int64_t> collectiveOf(Phase phase, int64_t level,
                                      double devices) const;

  class Lister;
  void listSteps();

  void sweep(const std::vector<Pass>& passes, bool isBackward,
             const Tariff& tariff, std::vector<Ticks>& values, Phase first,
             Phase last) const;
  /// Layouts from `first` up to `last`: all, or those that differ only in parts
  /// of levels inside the outermost.
  struct Range {
    int64_t first = 0, last = 0;
  };
  /// Passes of one level.
  void run(const Pass* begin, const Pass* end, bool isBackward,
           const Tariff& tariff, Range range, std::vector<Ticks>& values) const;
  void runFastestLevel(const Pass* begin, const Pass* end, bool isBackward,
                       const Tariff& tariff, Range range,
                       std::vector<Ticks>& values) const;
  /// Passes of any levels, neighbours of one level together.
  void runAll(const Pass* begin, const Pass* end, bool isBackward,
              const Tariff& tariff, Range range,
              std::vector<Ticks>& values) const;
  /// What parts of levels other than these two add to the held index.
  int64_t heldBeside(int64_t layout, int64_t level,
                     std::optional<int64_t> inner) const;
  static void takeSteps(const Pass& pass, bool isBackward, const Tariff& tariff,
                        int64_t heldIndex, Ticks* values, int64_t stride,
                        int64_t length);

  const LayoutSpace* space_;
  std::vector<Collective> collectives_;
  std::vector<Pass> passes_, reversed_;
};

class Tariff {
 public:
  /// Of a collective of a tensor of which devices hold the part with this
  /// index.
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
  // The same, for all parts of the level that inner loops run over.
  std::vector<int64_t> lineBegins_;
  std::vector<Ticks> lines_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_REDISTRIBUTION_H_
