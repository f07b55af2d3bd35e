// Enumerates the legal ways to run an op on a mesh of several axes.
//
// Each axis has its own signature (dialects/sbp/LoopNest.h). So the signatures
// on a mesh are the combinations of signatures on its axes, except for three
// kinds. A loop whose parts must be equal (evenOnly) may be split only if the
// product of the sizes of the axes that split it divides its extent. A tensor
// cannot be Partial with different reductions. An op that communicates itself
// may refuse a combination (LoopNest::canCombine).

#ifndef PASSES_PLAN_SIGNATURES_H_
#define PASSES_PLAN_SIGNATURES_H_

#include <optional>

#include "dialects/sbp/LoopNest.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sbp {

/// The placement of every operand and result of an op.
struct MeshSignature {
  llvm::SmallVector<Placement, 4> operands;
  llvm::SmallVector<Placement, 2> results;
  /// Iterations of all loops on the busiest device.
  double pointsPerDevice = 0;
  /// Indices of the mesh axes on which the op communicates itself, ascending.
  llvm::SmallVector<int64_t, 3> communicating;

  bool communicates() const { return !communicating.empty(); }
};

/// Returns the components of `signature` on each axis of a mesh of `numAxes`
/// axes. The result does not say which loops are split.
llvm::SmallVector<Signature, 3> componentsPerAxis(
    const MeshSignature& signature, size_t numAxes);

/// Returns the iterations on the busiest device if axis k splits the loop
/// `splitLoops[k]`. This is the product of the extents of all loops, each
/// divided by the number of devices that split it and rounded up.
double pointsPerDevice(const LoopNest& nest, const Mesh& mesh,
                       llvm::ArrayRef<int64_t> splitLoops);

/// Returns the signature on `mesh` with `perAxis[k]`, a signature of `nest`, on
/// axis k. Returns nullopt if these signatures cannot be combined.
std::optional<MeshSignature> combine(const LoopNest& nest, const Mesh& mesh,
                                     llvm::ArrayRef<const Signature*> perAxis);

/// Calls `visit` with legal signatures on `mesh`, until `visit` returns false.
/// The axes of `mesh` are divided into groups, numbered from 0: `groups[k]` is
/// the group of axis k. Visits only signatures that are the same on all axes of
/// a group. The first one is replicated: it splits no loop.
void visitSignatures(const LoopNest& nest, const Mesh& mesh,
                     llvm::ArrayRef<int64_t> groups,
                     llvm::function_ref<bool(const MeshSignature&)> visit);

/// Calls `visit` with every legal signature on `mesh`, in a fixed order. The
/// first one is replicated: it splits no loop. On an axis of one device, where
/// all signatures mean the same, only the replicated one is visited.
void forEachSignature(const LoopNest& nest, const Mesh& mesh,
                      llvm::function_ref<void(const MeshSignature&)> visit);

}  // namespace sbp

#endif  // PASSES_PLAN_SIGNATURES_H_
