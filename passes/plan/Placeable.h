// Verifies the conditions that a program must meet before any strategy can
// place it.

#ifndef PASSES_PLAN_PLACEABLE_H_
#define PASSES_PLAN_PLACEABLE_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/ProgramMeshes.h"

namespace sbp {

/// Fails with a diagnostic unless the parameters of `module`, and all functions
/// that its entries reach, meet these conditions:
///
///   - a pin is a placement that fits its tensor and the mesh that `meshes`
///     assigns to the tensor; parameters and inputs are not pinned Partial;
///   - an op with pinned signatures has one for each axis of its mesh, and they
///     can be combined;
///   - a function has one block, and does not call itself;
///   - an op is a call of a function of the module, a return, a pin, a read or
///     write of a parameter, or declares its loops (DistributedOpInterface).
LogicalResult verifyPlaceable(ModuleOp module, const ProgramMeshes& meshes);

/// Whether anything in `module` is pinned.
bool hasPin(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_PLAN_PLACEABLE_H_
