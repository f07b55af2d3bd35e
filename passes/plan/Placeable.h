// What must hold of a program before it can be placed, however that is done.

#ifndef PASSES_PLAN_PLACEABLE_H_
#define PASSES_PLAN_PLACEABLE_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/ProgramMeshes.h"

namespace sbp {

/// Fails with a diagnostic unless, in what the entries of `module` reach,
///
///   - every pin is a placement, on the mesh that `meshes` says, of a tensor
///     that has its dimensions; parameters and inputs are not pinned Partial;
///   - every function is one block, and none calls itself;
///   - every op declares its loops.
LogicalResult verifyPlaceable(ModuleOp module, const ProgramMeshes& meshes);

/// Whether anything in `module` is pinned.
bool hasPin(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_PLAN_PLACEABLE_H_
