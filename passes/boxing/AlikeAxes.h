// Mesh axes that are alike, and placements up to their names.
//
// Two axes of one level and as many devices differ by name only: what lies
// [S(0), B] over them costs as much to compute with as what lies [B, S(0)]. So
// placements fall into classes, of which one stands for all, its components in
// order. With three such axes there are 35 ways to be of 5 kinds, not 125:
//
//   [S(1), B, S(0)]   [S(0), S(1), B]   ...   are   [B, S(0), S(1)]
//
// Only neighbours among the axes of a mesh can be alike: where two of them
// split one dimension, the order in which they do is that of the mesh, and so
// none may stand in between.

#ifndef PASSES_BOXING_ALIKEAXES_H_
#define PASSES_BOXING_ALIKEAXES_H_

#include "dialects/sbp/Algebra.h"

namespace sbp {

class AlikeAxes {
 public:
  /// The axes of `mesh` that are as alike as they can be: neighbours of one
  /// level and size.
  explicit AlikeAxes(const Mesh& mesh);

  /// Whether axis `axis`, not the first, is like the one before it.
  bool isLikePrevious(size_t axis) const {
    return classOf_[axis] == classOf_[axis - 1];
  }
  bool areAllDifferent() const {
    return classOf_.empty() ||
           classOf_.back() + 1 == static_cast<int64_t>(classOf_.size());
  }

  /// Per axis the number of its class; ascends, without gaps.
  llvm::ArrayRef<int64_t> classes() const { return classOf_; }

  /// The placement that stands for all that differ from `placement` in names.
  Placement withoutNames(llvm::ArrayRef<Component> placement) const;

 private:
  llvm::SmallVector<int64_t, 4> classOf_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_ALIKEAXES_H_
