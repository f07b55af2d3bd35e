// The placements that are searched on a mesh.
//
// On an axis of one device all components mean the same, so only Broadcast is
// considered. A tensor is Partial only with reductions that some op of the
// program leaves. If there would be too many placements, axes are tied
// (AxisTies.h).

#ifndef PASSES_SEARCH_READING_PLACEMENTSPACE_H_
#define PASSES_SEARCH_READING_PLACEMENTSPACE_H_

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/SmallSet.h"
#include "passes/plan/Signatures.h"
#include "passes/search/symmetry/AxisTies.h"

namespace sbp::search {

/// The placements that a search considers on a mesh.
class PlacementSpace {
 public:
  PlacementSpace(const Mesh& mesh, AxisTies ties)
      : mesh_(mesh), groups_(groupsOf(mesh, ties)) {}

  /// Allows Partial tensors with `reduction`. Sums are always allowed.
  void addReduction(Reduction reduction) { reductions_.insert(reduction); }

  const Mesh& mesh() const { return mesh_; }
  /// Returns, per axis, the number of its group of tied axes.
  ArrayRef<int64_t> groups() const { return groups_; }
  bool contains(ArrayRef<Component> placement) const;
  bool contains(const MeshSignature& signature) const;

  /// Returns all placements of a tensor, Broadcast first. They have sums
  /// (P(sum)) if `mayBePartial` and the elements are floats.
  SmallVector<Placement> placementsOf(RankedTensorType type,
                                      bool mayBePartial) const;

 private:
  const Mesh& mesh_;
  std::vector<int64_t> groups_;
  llvm::SmallSet<Reduction, 3> reductions_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_PLACEMENTSPACE_H_
