// Which ranks can run the same program.
//
// A program has fixed local shapes, so two ranks share one if they own equally
// large parts of every tensor. Where a part begins does not matter: programs
// ask for it at run time.
//
//   extent 10 over 4 ranks    parts of 2, 3, 2, 3     two classes: {0, 2}, {1,
//   3} extent 16 over 4 ranks    parts of 4              one class
//
// Ranks of different groups of stages have different programs in any case.
//
// A model has thousands of tensors but few ways to cut an extent, so classes
// are found from the set of those, without looking at any tensor per rank.

#ifndef PASSES_LOCALIZE_RANKCLASSES_H_
#define PASSES_LOCALIZE_RANKCLASSES_H_

#include <set>
#include <vector>

#include "dialects/sbp/Algebra.h"

namespace sbp {

/// All the ways in which the dimensions of some tensors are cut.
class Cuts {
 public:
  /// Adds those of a tensor of whole shape `shape` that lies as `placement`.
  void add(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Component> placement);

  /// By place of `mesh` the sizes of the parts that whoever stands there owns,
  /// where they are not all equal.
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

/// Some tensors that lie on one mesh.
struct CutsOnMesh {
  const Mesh* mesh = nullptr;
  Cuts cuts;
};

/// The ranks from 0 to `numRanks`, those in one class that are on the same ones
/// of `meshes` and own equally large parts by every cut. Classes ascend by
/// their first rank, and ranks within a class.
std::vector<std::vector<int64_t>> rankClasses(
    int64_t numRanks, const std::vector<CutsOnMesh>& meshes);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_RANKCLASSES_H_
