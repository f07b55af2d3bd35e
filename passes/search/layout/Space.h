// All ways to lay a tensor on a large machine, told apart only as far as
// matters.
//
// A machine is a hierarchy of levels (node, gpu). The count of a level is a
// product of primes, and each prime factor is one mesh axis: 64 nodes of 8 gpus
// have six axes of two devices at the level of nodes, three at that of gpus. A
// placement gives every axis one kind: Split along one of the tensor's
// dimensions, Broadcast, or Partial. So nine axes and four kinds make 4^9
// placements.
//
// But axes of one level and one prime are all alike: what is paid for a
// collective depends on how many of them take part, not on which. A *layout*
// says only how many axes have each kind:
//
//            nodes (2^6)               gpus (2^3)
//            S(0)  S(1)  B  P          S(0)  S(1)  B  P
//              4     0   2  0            0     3   0  0
//
// which leaves 84 x 20 = 1,680 of the 262,144. That the cheapest plan in
// layouts is one in placements too is a theorem for trees (docs/search.md), and
// checked for every plan that is not one.
//
// What a level contributes to a layout, one column group above, is a *part*.
// Layouts are numbered with the parts of the level that has most of them
// running fastest, so that inner loops are long.

#ifndef PASSES_SEARCH_LAYOUT_SPACE_H_
#define PASSES_SEARCH_LAYOUT_SPACE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/cost/AlphaBeta.h"
#include "passes/search/layout/Shares.h"

namespace sbp::search {

/// A level of the machine: how many units each unit of the level above has, and
/// the network between them.
struct Level {
  int64_t count = 1;
  Link link = {};
};

/// Axes that are alike: `number` axes of `prime` devices at one level.
struct AxisClass {
  int64_t level = 0;
  int64_t prime = 2;
  int64_t number = 0;
};

/// The axes of a machine, as few classes as there can be.
std::vector<AxisClass> axisClassesOf(const std::vector<Level>& levels);

/// Index of a layout in its space.
using Layout = int32_t;

/// Whether a tensor may lie in terms (have the kind Partial). What an op reads
/// never does: terms are gathered or scattered first.
enum class Terms { Allowed, None };

/// The layouts of tensors of `numDims` dimensions (or of as many groups of
/// dimensions as are told apart) on a machine.
class LayoutSpace {
 public:
  LayoutSpace(std::vector<Level> levels, int64_t numDims,
              Terms terms = Terms::Allowed);

  /// Tells axes apart further: `classes` has those of each level together, in
  /// the order of levels.
  LayoutSpace(std::vector<Level> levels, std::vector<AxisClass> classes,
              int64_t numDims, Terms terms);

  const std::vector<Level>& levels() const { return levels_; }
  const std::vector<AxisClass>& classes() const { return classes_; }
  int64_t numLayouts() const { return numLayouts_; }

  int64_t numDims() const { return numDims_; }
  Kind broadcast() const { return static_cast<Kind>(numDims_); }
  Kind partial() const { return static_cast<Kind>(numDims_ + 1); }
  Terms terms() const { return terms_; }
  int64_t numKinds() const {
    return numDims_ + (terms_ == Terms::Allowed ? 2 : 1);
  }

  /// How many axes of class `axisClass` have `kind`.
  int64_t count(Layout layout, int64_t axisClass, Kind kind) const {
    return sharesOf(axisClass).counts(wayOf(layout, axisClass))[kind];
  }

  /// The layout in which one axis of the class has the kind `to` in place of
  /// `from`. There is one that has `from`.
  Layout moved(Layout layout, int64_t axisClass, Kind from, Kind to) const {
    int64_t way = wayOf(layout, axisClass);
    int64_t next = sharesOf(axisClass).moved(way, from, to);
    return static_cast<Layout>(layout + (next - way) * strides_[axisClass]);
  }

  /// The layout with these counts, given per class and kind.
  Layout layoutOf(const std::vector<Counts>& counts) const;

  /// All ways to share out so many axes, no more than the largest class has.
  const Shares& shares(int64_t numAxes) const { return shares_[numAxes]; }

  /// The part of the tensor that one device holds.
  double heldFraction(Layout layout) const {
    return heldFractions_[heldIndexOf(layout)];
  }

  /// Broadcast and Partial exchanged: how the gradient of a tensor lies for
  /// which each move is the mirror of one of the tensor's.
  Layout dual(Layout layout) const;

  // --- By level.

  /// How many parts a level has, and how far they are apart in numbers of
  /// layouts.
  int64_t numParts(int64_t level) const { return numParts_[level]; }
  int64_t stride(int64_t level) const { return levelStrides_[level]; }
  int64_t partOf(Layout layout, int64_t level) const {
    return layout / levelStrides_[level] % numParts_[level];
  }

  /// Levels by how fast their parts run: the first has stride 1.
  const std::vector<int64_t>& levelsInside() const { return levelsInside_; }

  /// What devices may hold, by index; the index of a layout is the sum of those
  /// of its parts.
  int64_t heldIndexOf(Layout layout) const {
    int64_t held = 0;
    for (std::size_t level = 0; level < levels_.size(); ++level)
      held += heldIndexOfPart(level, partOf(layout, level));
    return held;
  }
  const std::vector<double>& heldFractions() const { return heldFractions_; }
  int64_t heldIndexOfPart(int64_t level, int64_t part) const {
    return heldIndices_[level][part];
  }

  /// Devices that the axes of a level with `kind` make.
  double devices(int64_t level, int64_t part, Kind kind) const {
    return devices_[level][part * numKinds() + kind];
  }

 private:
  const Shares& sharesOf(int64_t axisClass) const {
    return shares_[classes_[axisClass].number];
  }
  int64_t wayOf(Layout layout, int64_t axisClass) const {
    return layout / strides_[axisClass] % sharesOf(axisClass).numWays();
  }
  void describeParts();

  std::vector<Level> levels_;
  int64_t numDims_;
  Terms terms_;
  std::vector<AxisClass> classes_;
  std::vector<Shares> shares_;  // by number of axes
  // Per class, what a step in its ways adds to the index of a layout.
  std::vector<int64_t> strides_;
  int64_t numLayouts_ = 1;

  std::vector<int64_t> numParts_, levelStrides_, levelsInside_;
  std::vector<std::vector<int32_t>> heldIndices_;  // per level and part
  std::vector<std::vector<double>> devices_;       // per level, part and kind
  std::vector<double> heldFractions_;
};

/// A translation from the layouts of one space to those of another, class by
/// class and kind by kind: what an op reads for what it makes, or what is left
/// of a layout when axes are told apart less.
class Relabelling {
 public:
  /// `kinds` has for every kind of `from` the one of `to`; `classes` for every
  /// class its class, where several may become one.
  Relabelling(const LayoutSpace& from, const LayoutSpace& to,
              const std::vector<Kind>& kinds,
              const std::vector<int64_t>& classes);

  /// Of every layout of `from`, what it becomes.
  const std::vector<Layout>& table() const { return table_; }
  Layout operator()(Layout layout) const { return table_[layout]; }

 private:
  std::vector<Layout> table_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_SPACE_H_
