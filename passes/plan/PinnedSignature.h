// The signature to which an op is pinned.

#ifndef PASSES_PLAN_PINNEDSIGNATURE_H_
#define PASSES_PLAN_PINNEDSIGNATURE_H_

#include <optional>

#include "dialects/sbp/LoopNest.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/Operation.h"
#include "passes/plan/Signatures.h"

namespace sbp {

/// Whether the signatures of `op` are pinned.
bool hasPinnedSignature(Operation* op);

/// Returns the signature on `mesh` to which `op` is pinned. Returns nullopt if
/// `op` is not pinned, or if its pin is one that verifyPlaceable (Placeable.h)
/// refuses. `nest` must be loopNestOf(op).
std::optional<MeshSignature> pinnedSignature(Operation* op,
                                             const LoopNest& nest,
                                             const Mesh& mesh);

}  // namespace sbp

#endif  // PASSES_PLAN_PINNEDSIGNATURE_H_
