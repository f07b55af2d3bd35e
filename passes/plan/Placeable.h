// The conditions that a program must meet before it can be placed by any
// strategy.

#ifndef PASSES_PLAN_PLACEABLE_H_
#define PASSES_PLAN_PLACEABLE_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/ProgramMeshes.h"

namespace sbp {

/// Fails with a diagnostic unless, in the parameters of `module` and in all
/// functions that its entries reach,
///
///   - every pin is a placement that fits its tensor and the mesh that `meshes`
///     assigns to it; parameters and inputs are not pinned Partial;
///   - every op with pinned signatures has one per axis of its mesh, and they
///     can be combined there;
///   - every function has one block, and there is no recursion;
///   - every op is a call of a function of the module, a return, a pin, a read
///     or write of a parameter, or declares its loops (DistributedOpInterface).
LogicalResult verifyPlaceable(ModuleOp module, const ProgramMeshes& meshes);

/// Whether anything in `module` is pinned.
bool hasPin(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_PLAN_PLACEABLE_H_
