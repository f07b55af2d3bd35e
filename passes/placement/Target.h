// The mesh and the device for which a program is placed.

#ifndef PASSES_PLACEMENT_TARGET_H_
#define PASSES_PLACEMENT_TARGET_H_

#include <optional>

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

struct Target {
  mlir::FlatSymbolRefAttr name;  // name of the mesh
  Mesh mesh;
  std::optional<Device> device;  // set if the machine describes it

  /// Returns the device; if there is none, one with a rate of 100 GFLOP/s, a
  /// bandwidth of 10 GB/s and unlimited memory. If the device has no rate for a
  /// type with which `module` computes, assumes 100 GFLOP/s. Remarks at the
  /// machine what was assumed.
  Device deviceOrAssumed(ModuleOp module) const;
};

/// Returns the mesh of `module` named `meshName`. If `meshName` is empty,
/// returns the only mesh: meshes of groups do not count, nor does a machine if
/// there is a mesh. Fails with a diagnostic that lists the meshes.
FailureOr<Target> chooseTarget(ModuleOp module, StringRef meshName);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_TARGET_H_
