// The types of a placed module: which tensors there are, and the one mesh that
// all of them lie on.

#ifndef PASSES_PLACEDTYPES_H_
#define PASSES_PLACEDTYPES_H_

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sbp {

/// Calls `visit` with every tensor type of the parameters, functions and ops
/// inside `root`, and the op that it belongs to. Stops, and fails, where
/// `visit` fails.
LogicalResult forEachTensorType(
    Operation* root,
    llvm::function_ref<LogicalResult(Operation*, RankedTensorType)> visit);

/// A mesh and its name; the name is null where nothing is placed.
struct PlacedMesh {
  mlir::FlatSymbolRefAttr name;
  Mesh mesh;
};

/// The mesh that all tensors of `module` are placed on. Fails with a diagnostic
/// at one that is not placed, or lies on another mesh or on fewer or more axes.
FailureOr<PlacedMesh> placedMeshOf(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_PLACEDTYPES_H_
