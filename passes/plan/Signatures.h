// All legal ways to run an op on a mesh of several axes.
//
// Each axis follows a signature of its own choice (dialects/sbp/LoopNest.h), so
// the signatures on a mesh are the product of those on its axes, less the ones
// that ask too much together: a loop whose parts must be equal may be split by
// several axes only if their product divides its extent, and one tensor is not
// partial in two ways.

#ifndef PASSES_PLAN_SIGNATURES_H_
#define PASSES_PLAN_SIGNATURES_H_

#include <optional>

#include "dialects/sbp/LoopNest.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sbp {

/// A placement for every operand and result of an op.
struct MeshSignature {
  llvm::SmallVector<Placement, 4> operands;
  llvm::SmallVector<Placement, 2> results;
  /// Iterations that the busiest device runs, over all loops.
  double pointsPerDevice = 0;
  /// The axes on which the op communicates itself, ascending.
  llvm::SmallVector<int64_t, 3> communicating;

  bool communicates() const { return !communicating.empty(); }
};

/// Iterations that the busiest device runs if axis k splits `splitLoops[k]`:
/// the product of all loops' extents, each divided by the devices that share it
/// and rounded up.
double pointsPerDevice(const LoopNest& nest, const Mesh& mesh,
                       llvm::ArrayRef<int64_t> splitLoops);

/// The signature on `mesh` that follows `perAxis[k]`, a signature of `nest`, on
/// axis k; nothing when they ask too much together.
std::optional<MeshSignature> combine(const LoopNest& nest, const Mesh& mesh,
                                     llvm::ArrayRef<const Signature*> perAxis);

/// Calls `visit`, as long as it returns true, with every legal signature on
/// `mesh` in which axes of one group do the same; the replicated one comes
/// first. `groups` has the number of its group for each axis, from 0 on.
void visitSignatures(const LoopNest& nest, const Mesh& mesh,
                     llvm::ArrayRef<int64_t> groups,
                     llvm::function_ref<bool(const MeshSignature&)> visit);

/// Calls `visit` with every legal signature on `mesh`, in a fixed order; the
/// replicated one comes first. On an axis of one device all mean the same, and
/// only the replicated one is visited.
void forEachSignature(const LoopNest& nest, const Mesh& mesh,
                      llvm::function_ref<void(const MeshSignature&)> visit);

}  // namespace sbp

#endif  // PASSES_PLAN_SIGNATURES_H_
