// Interchangeable mesh axes, and placements up to a renaming of such axes.
//
// Two axes of the same level and size differ only in their names: computing
// with a tensor that lies [S(0), B] costs as much as with one that lies [B,
// S(0)]. Placements that differ only by an exchange of such axes form a class.
// The placement whose components are sorted stands for its class. With five
// components, three such axes have 35 classes instead of 125 placements:
//
//   [S(1), B, S(0)]   [S(0), S(1), B]   ...   become   [B, S(0), S(1)]
//
// Only neighbouring axes of a mesh can be alike: axes that split one dimension
// cut it in mesh order, so an axis between two others would tell these apart.

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

  /// Whether axis `axis`, which is not the first, is like the axis before it.
  bool isLikePrevious(size_t axis) const {
    return classOf_[axis] == classOf_[axis - 1];
  }
  /// Whether every axis is in a class of its own.
  bool areAllDifferent() const {
    return classOf_.empty() ||
           classOf_.back() + 1 == static_cast<int64_t>(classOf_.size());
  }

  /// Class number of each axis; ascending, without gaps.
  llvm::ArrayRef<int64_t> classes() const { return classOf_; }

  /// Returns the placement that stands for the class of `placement`: the
  /// components of axes that are alike are sorted.
  Placement representativeOf(llvm::ArrayRef<Component> placement) const;

 private:
  llvm::SmallVector<int64_t, 4> classOf_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_ALIKEAXES_H_
