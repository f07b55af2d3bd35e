// The tensor types of a placed module, and the meshes that its tensors lie on.

#ifndef PASSES_MODULE_PLACEDTYPES_H_
#define PASSES_MODULE_PLACEDTYPES_H_

#include <map>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sbp {

/// Calls `visit` with each ranked tensor type inside `root` and the op that has
/// it: types of op results, of arguments and results of functions, and of
/// parameters. Stops and fails if `visit` fails.
LogicalResult forEachTensorType(
    Operation* root,
    llvm::function_ref<LogicalResult(Operation*, RankedTensorType)> visit);

/// The meshes that the tensors of a module lie on. All are meshes of one
/// machine, and each has all or some of its ranks.
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
/// at an op with a type whose mesh is not defined, has more or fewer axes than
/// the placement has components, or belongs to another machine than the meshes
/// before it.
FailureOr<PlacedMeshes> placedMeshesOf(ModuleOp module);

/// Fails with a diagnostic at a tensor of `module` that is not placed.
LogicalResult verifyAllPlaced(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_MODULE_PLACEDTYPES_H_
