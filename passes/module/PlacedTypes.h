// The tensor types of a placed module, and the meshes that its tensors lie on.

#ifndef PASSES_MODULE_PLACEDTYPES_H_
#define PASSES_MODULE_PLACEDTYPES_H_

#include <map>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sbp {

/// Calls `visit` with every tensor type of the parameters, functions and ops
/// inside `root`, and with the op that it belongs to. Stops and fails if
/// `visit` fails.
LogicalResult forEachTensorType(
    Operation* root,
    llvm::function_ref<LogicalResult(Operation*, RankedTensorType)> visit);

/// The meshes that the tensors of a module lie on: a single one, or several
/// meshes of one machine, each of all or some of its ranks.
struct PlacedMeshes {
  using Name = mlir::FlatSymbolRefAttr;

  std::map<StringRef, Mesh> byName;
  /// The mesh of all ranks: the only mesh, if it has all ranks; otherwise the
  /// machine. Null if no tensor is placed.
  Name all;
  Mesh machine;  // its axes are the levels

  const Mesh& of(Name name) const { return byName.at(name.getValue()); }
};

/// Returns the meshes of the placed types of `module`. Fails with a diagnostic
/// at a type whose mesh is not defined, has another number of axes, or belongs
/// to another machine.
FailureOr<PlacedMeshes> placedMeshesOf(ModuleOp module);

/// Fails with a diagnostic at a tensor of `module` that is not placed.
LogicalResult verifyAllPlaced(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_MODULE_PLACEDTYPES_H_
