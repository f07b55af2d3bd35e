// Layouts: placements of a tensor on a large machine, up to names of alike
// axes.
//
// A machine is a hierarchy of levels (node, gpu). The count of a level is a
// product of primes, and each prime factor is one mesh axis: 64 nodes of 8 gpus
// have six axes of two devices at the level of nodes, and three at that of
// gpus. A placement gives every axis one kind: Split along one of the tensor's
// dimensions, Broadcast, or Partial. So nine axes and four kinds make 4^9
// placements.
//
// But all axes of one level and one prime are alike: the cost of a collective
// depends on how many of them take part, not on which. A *layout* has only the
// number of axes of each kind:
//
//            nodes (2^6)               gpus (2^3)
//            S(0)  S(1)  B  P          S(0)  S(1)  B  P
//              4     0   2  0            0     3   0  0
//
// So 84 x 20 = 1,680 layouts stand for the 262,144 placements. For trees of
// tensors, the cheapest plan in layouts is also one in placements: a theorem
// (docs/search.md). For other graphs each plan is checked.
//
// The counts of one level, one group of columns above, are a *part* of the
// layout. Layouts are numbered such that the parts of the level with the most
// parts change fastest, so that inner loops are long.

#ifndef PASSES_SEARCH_SYMMETRY_LAYOUTSPACE_H_
#define PASSES_SEARCH_SYMMETRY_LAYOUTSPACE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/cost/AlphaBeta.h"
#include "passes/search/symmetry/Shares.h"

namespace sbp::search {

/// A level of the machine: the number of its units in each unit of the level
/// above, and the network between them.
struct Level {
  int64_t count = 1;
  Link link = {};
};

/// ByClass axes: `number` axes of `prime` devices at one level.
struct AxisClass {
  int64_t level = 0;
  int64_t prime = 2;
  int64_t number = 0;
};

/// Returns the axes of a machine in as few classes as possible.
std::vector<AxisClass> axisClassesOf(const std::vector<Level>& levels);

/// Index of a layout in its space.
using Layout = int32_t;

/// Whether a tensor may have the kind Partial: each device then holds a term of
/// a sum. An operand is never Partial: its terms are added up first.
enum class Terms { Allowed, None };

/// The layouts of tensors on a machine. `numDims` is the number of their
/// dimensions, or of the groups of dimensions that are distinguished.
class LayoutSpace {
 public:
  LayoutSpace(std::vector<Level> levels, int64_t numDims,
              Terms terms = Terms::Allowed);

  /// Constructs a space whose classes are `classes`, which may distinguish axes
  /// further than axisClassesOf(). They must be in the order of their levels.
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

  /// Returns the number of axes of class `axisClass` that have `kind`.
  int64_t count(Layout layout, int64_t axisClass, Kind kind) const {
    return sharesOf(axisClass).counts(wayOf(layout, axisClass))[kind];
  }

  /// Returns the layout in which one axis of the class has the kind `to`
  /// instead of `from`. Some axis must have the kind `from`.
  Layout moved(Layout layout, int64_t axisClass, Kind from, Kind to) const {
    int64_t way = wayOf(layout, axisClass);
    int64_t next = sharesOf(axisClass).moved(way, from, to);
    return static_cast<Layout>(layout + (next - way) * strides_[axisClass]);
  }

  /// Returns the layout with these counts, per class and kind.
  Layout layoutOf(const std::vector<Counts>& counts) const;

  /// Returns all distributions of `numAxes` axes. `numAxes` must not be more
  /// than the largest class has.
  const Shares& shares(int64_t numAxes) const { return shares_[numAxes]; }

  /// Returns the fraction of the tensor that one device holds.
  double heldFraction(Layout layout) const {
    return heldFractions_[heldIndexOf(layout)];
  }

  /// Returns the layout with Broadcast and Partial exchanged. If a gradient has
  /// the dual layout of its tensor, each move of the gradient mirrors a move of
  /// the tensor.
  Layout dual(Layout layout) const;

  // --- By level.

  /// Return the number of parts of a level, and by how much the indices of
  /// layouts differ whose parts of this level are consecutive.
  int64_t numParts(int64_t level) const { return numParts_[level]; }
  int64_t stride(int64_t level) const { return levelStrides_[level]; }
  int64_t partOf(Layout layout, int64_t level) const {
    return layout / levelStrides_[level] % numParts_[level];
  }

  /// Returns the levels in the order of their strides: the first has stride 1.
  const std::vector<int64_t>& levelsInside() const { return levelsInside_; }

  /// Returns the index, in heldFractions(), of the fraction that a device
  /// holds. It is the sum of heldIndexOfPart() over all levels.
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

  /// Returns the number of devices along those axes of a level that have
  /// `kind`.
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
  // Per class, the distance between indices of layouts whose ways are
  // consecutive.
  std::vector<int64_t> strides_;
  int64_t numLayouts_ = 1;

  std::vector<int64_t> numParts_, levelStrides_, levelsInside_;
  std::vector<std::vector<int32_t>> heldIndices_;  // per level and part
  std::vector<std::vector<double>> devices_;       // per level, part and kind
  std::vector<double> heldFractions_;
};

/// A translation of the layouts of one space to those of another, class by
/// class and kind by kind: from results of an op to operands, or to a space
/// that distinguishes fewer axes.
class Relabelling {
 public:
  /// `kinds` has the kind in `to` for every kind of `from`; `classes` has the
  /// class in `to` for every class of `from`. Several classes of `from` may
  /// become one class of `to`.
  Relabelling(const LayoutSpace& from, const LayoutSpace& to,
              const std::vector<Kind>& kinds,
              const std::vector<int64_t>& classes);

  /// Returns the layout of `to` for every layout of `from`.
  const std::vector<Layout>& table() const { return table_; }
  Layout operator()(Layout layout) const { return table_[layout]; }

 private:
  std::vector<Layout> table_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_SYMMETRY_LAYOUTSPACE_H_
