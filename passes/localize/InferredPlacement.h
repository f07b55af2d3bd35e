// Placements of local tensors, as far as the local program determines them.
//
// A local type has no placement. But how each tensor may lie can be derived,
// for each mesh axis separately, from the attributes of a rank.program's
// parameters and arguments (`rank.whole`), the results of its collectives, and
// the signatures of its ops:
//
//   %g = nn.einsum "bi,bj->ij" %x, %d    x and d are S(0), so g is P(sum)
//   %s = rank.all_reduce sum %g          and s is B
//
// A tensor such as a constant may lie in several ways. For some tensors nothing
// can be derived.

#ifndef PASSES_LOCALIZE_INFERREDPLACEMENT_H_
#define PASSES_LOCALIZE_INFERREDPLACEMENT_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "passes/localize/ComponentSet.h"

namespace sbp {

/// The placement of a local tensor, as far as it is known.
struct InferredPlacement {
  /// The mesh to whose axes `axes` refers. Null if the placement holds on every
  /// mesh, as for a constant. Then the single element of `axes` is for all
  /// axes.
  mlir::FlatSymbolRefAttr mesh;
  SmallVector<ComponentSet, 3> axes = {ComponentSet::any()};

  /// Returns the components that the tensor may have on mesh axis `axis`.
  const ComponentSet& on(size_t axis) const { return axes[mesh ? axis : 0]; }

  friend bool operator==(const InferredPlacement& a,
                         const InferredPlacement& b) {
    return a.mesh == b.mesh && a.axes == b.axes;
  }
};

}  // namespace sbp

#endif  // PASSES_LOCALIZE_INFERREDPLACEMENT_H_
