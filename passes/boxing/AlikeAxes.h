// Interchangeable mesh axes, and placements up to a renaming of such axes.
//
// Two axes of the same level and size differ only in their names: computing
// with a tensor that lies [S(0), B] costs as much as with one that lies [B,
// S(0)]. Such axes are called alike. Placements that differ only by an exchange
// of axes that are alike form a class. The placement whose components are
// sorted stands for its class. With five components, three such axes have 35
// classes instead of 125 placements:
//
//   [S(1), B, S(0)]   [S(0), S(1), B]   ...   become   [B, S(0), S(1)]
//
// Only neighbouring axes of a mesh can be alike. The order of the axes matters
// where several of them split one dimension, so exchanging two axes would not
// be neutral if a different axis stood between them.

#ifndef PASSES_BOXING_ALIKEAXES_H_
#define PASSES_BOXING_ALIKEAXES_H_

#include "dialects/sbp/Algebra.h"

namespace sbp {

/// Groups the interchangeable axes of one mesh into classes.
class AlikeAxes {
 public:
  /// Groups the axes of `mesh` into the largest possible classes: neighbours of
  /// the same level, size and link prices.
  explicit AlikeAxes(const Mesh& mesh);

  /// Whether axis `axis` is alike to the axis before it. `axis` must not be 0.
  bool isLikePrevious(size_t axis) const {
    return classOf_[axis] == classOf_[axis - 1];
  }
  /// Whether every axis is in a class of its own.
  bool areAllDifferent() const {
    return classOf_.empty() ||
           classOf_.back() + 1 == static_cast<int64_t>(classOf_.size());
  }

  /// The class number of each axis. The numbers start at 0, ascend and have no
  /// gaps.
  llvm::ArrayRef<int64_t> classes() const { return classOf_; }

  /// Returns the placement that stands for the class of `placement`: the
  /// components of axes that are alike are sorted.
  Placement representativeOf(llvm::ArrayRef<Component> placement) const;

 private:
  llvm::SmallVector<int64_t, 4> classOf_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_ALIKEAXES_H_
