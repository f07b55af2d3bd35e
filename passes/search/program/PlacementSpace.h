// The placements that are worth a look on one mesh.
//
// Over an axis of one device all components mean the same, so there only
// Broadcast is looked at. A tensor is Partial only in ways in which some op of
// the program leaves terms. And where there would be too many, axes are tied.

#ifndef PASSES_SEARCH_PROGRAM_PLACEMENTSPACE_H_
#define PASSES_SEARCH_PROGRAM_PLACEMENTSPACE_H_

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/SmallSet.h"
#include "passes/plan/Signatures.h"
#include "passes/search/program/AxisTies.h"

namespace sbp::search {

class PlacementSpace {
 public:
  PlacementSpace(const Mesh& mesh, AxisTies ties)
      : mesh_(mesh), groups_(groupsOf(mesh, ties)) {}

  /// Some op leaves terms that combine so; sums are always reckoned with.
  void addReduction(Reduction reduction) { reductions_.insert(reduction); }

  const Mesh& mesh() const { return mesh_; }
  /// Per axis the number of its group: those of one group do the same.
  ArrayRef<int64_t> groups() const { return groups_; }
  bool contains(ArrayRef<Component> placement) const;
  bool contains(const MeshSignature& signature) const;

  /// All placements of a tensor, Broadcast first; with sums if `mayBePartial`
  /// and it has floats.
  SmallVector<Placement> placementsOf(RankedTensorType type,
                                      bool mayBePartial) const;

 private:
  const Mesh& mesh_;
  std::vector<int64_t> groups_;
  llvm::SmallSet<Reduction, 3> reductions_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_PLACEMENTSPACE_H_
