// The types of a placed module: which tensors there are, and the meshes that
// they lie on.

#ifndef PASSES_MODULE_PLACEDTYPES_H_
#define PASSES_MODULE_PLACEDTYPES_H_

#include <map>

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

/// The meshes that tensors lie on: one, or those of groups of one machine's
/// ranks, and of the whole machine.
struct PlacedMeshes {
  using Name = mlir::FlatSymbolRefAttr;

  std::map<StringRef, Mesh> byName;
  /// The mesh of all ranks: the only one that there is, if it is no group, or
  /// the machine; null where nothing is placed.
  Name all;
  Mesh machine;  // its axes are levels

  const Mesh& of(Name name) const { return byName.at(name.getValue()); }
};

/// The meshes of the placed types of `module`. Fails with a diagnostic at one
/// whose mesh is not defined, has fewer or more axes, or is of another machine.
FailureOr<PlacedMeshes> placedMeshesOf(ModuleOp module);

/// Fails with a diagnostic at a tensor of `module` that is not placed.
LogicalResult verifyAllPlaced(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_MODULE_PLACEDTYPES_H_
