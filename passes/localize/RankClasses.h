// Classes of ranks that can run the same program.
//
// A program has fixed local shapes, so two ranks can share a program if they
// own equally large parts of every tensor. The offsets of parts may differ,
// since a program computes them at run time.
//
//   extent 10 over 4 ranks    parts of 2, 3, 2, 3    classes {0, 2}, {1, 3}
//   extent 16 over 4 ranks    parts of 4             one class
//
// Ranks of different stage groups have different programs, because they are on
// different meshes.
//
// A model has thousands of tensors, but few ways to cut an extent. So classes
// are derived from the set of all cuts, not from the tensors.

#ifndef PASSES_LOCALIZE_RANKCLASSES_H_
#define PASSES_LOCALIZE_RANKCLASSES_H_

#include <set>
#include <vector>

#include "dialects/sbp/Algebra.h"

namespace sbp {

/// The set of all ways in which dimensions of tensors are cut. A cut is an
/// extent with the mesh axes that split it.
class Cuts {
 public:
  /// Adds the cuts of a tensor of whole shape `shape` in the given placement.
  void add(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Component> placement);

  /// Returns, for each position on `mesh`, the sizes of parts that the rank
  /// there owns, one size per cut. The order of cuts is the same for all
  /// positions. Cuts into parts of equal size are left out.
  std::vector<std::vector<int64_t>> partsOf(const Mesh& mesh) const;

 private:
  struct Cut {
    int64_t extent;
    std::vector<int64_t> axes;  // ascending
    friend bool operator<(const Cut& a, const Cut& b) {
      return a.extent != b.extent ? a.extent < b.extent : a.axes < b.axes;
    }
  };
  std::set<Cut> cuts_;
};

/// The cuts of the tensors that lie on one mesh.
struct CutsOnMesh {
  const Mesh* mesh = nullptr;
  Cuts cuts;
};

/// Divides the ranks 0 to `numRanks` - 1 into classes. Two ranks are in one
/// class if they are on the same meshes of `meshes` and own equally large parts
/// by every cut. Classes are sorted by their first rank, and ranks within a
/// class ascend.
std::vector<std::vector<int64_t>> rankClasses(
    int64_t numRanks, const std::vector<CutsOnMesh>& meshes);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_RANKCLASSES_H_
