// The conditions that a program must meet before it can be placed by any
// strategy.

#ifndef PASSES_PLAN_PLACEABLE_H_
#define PASSES_PLAN_PLACEABLE_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/ProgramMeshes.h"

namespace sbp {

/// Fails with a diagnostic unless, in everything reachable from the entries of
/// `module`,
///
///   - every pin is a placement that fits its tensor and the mesh that `meshes`
///     assigns to it; parameters and inputs are not pinned Partial;
///   - every function has one block, and there is no recursion;
///   - every op declares its loops.
LogicalResult verifyPlaceable(ModuleOp module, const ProgramMeshes& meshes);

/// Whether anything in `module` is pinned.
bool hasPin(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_PLAN_PLACEABLE_H_
