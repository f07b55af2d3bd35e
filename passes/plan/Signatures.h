// Enumerates the legal ways to run an op on a mesh of several axes.
//
// Each axis follows a signature of its own (dialects/sbp/LoopNest.h). So the
// signatures on a mesh are the product of the signatures on its axes, except
// for three kinds of combinations. A loop whose parts must be equal may be
// split only if the product of the sizes of the axes that split it divides its
// extent. A tensor cannot be Partial with different reductions. And an op that
// communicates itself may refuse a combination (LoopNest::canCombine).

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
  /// Indices of the mesh axes on which the op itself communicates, ascending.
  llvm::SmallVector<int64_t, 3> communicating;

  bool communicates() const { return !communicating.empty(); }
};

/// Returns the components of `signature`, of an op on a mesh of `numAxes` axes,
/// on each axis. The result does not tell which loops are split.
llvm::SmallVector<Signature, 3> componentsPerAxis(
    const MeshSignature& signature, size_t numAxes);

/// Returns the iterations on the busiest device if axis k splits the loop
/// `splitLoops[k]`: the product of all extents, each divided by the number of
/// devices that split it and rounded up.
double pointsPerDevice(const LoopNest& nest, const Mesh& mesh,
                       llvm::ArrayRef<int64_t> splitLoops);

/// Returns the signature on `mesh` that follows `perAxis[k]`, a signature of
/// `nest`, on axis k. Returns nullopt if these cannot be combined.
std::optional<MeshSignature> combine(const LoopNest& nest, const Mesh& mesh,
                                     llvm::ArrayRef<const Signature*> perAxis);

/// Divides the axes of `mesh` into groups. Calls `visit` with the legal
/// signatures on `mesh` that follow the same signature on all axes of a group,
/// until `visit` returns false. The replicated signature comes first.
/// `groups[k]` is the group of axis k; groups are numbered from 0.
void visitSignatures(const LoopNest& nest, const Mesh& mesh,
                     llvm::ArrayRef<int64_t> groups,
                     llvm::function_ref<bool(const MeshSignature&)> visit);

/// Calls `visit` with every legal signature on `mesh`, in a fixed order,
/// starting with the replicated one. All signatures mean the same on an axis of
/// one device, where only the replicated one is visited.
void forEachSignature(const LoopNest& nest, const Mesh& mesh,
                      llvm::function_ref<void(const MeshSignature&)> visit);

}  // namespace sbp

#endif  // PASSES_PLAN_SIGNATURES_H_
