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

/// A mesh and its devices.
struct Target {
  mlir::FlatSymbolRefAttr name;  // name of the mesh
  Mesh mesh;
  std::optional<Device> device;  // nullopt if the machine describes none

  /// Returns `device`, completed by assumptions. A type with which `module`
  /// computes, and for which `device` has no rate, gets 100 GFLOP/s. If
  /// `device` is nullopt, returns a device that computes at 100 GFLOP/s with
  /// every type, and has a bandwidth of 10 GB/s and unlimited memory. If
  /// anything was assumed, emits a remark at the machine that says what.
  Device deviceOrAssumed(ModuleOp module) const;
};

/// Returns the mesh or machine of `module` named `meshName`. If `meshName` is
/// empty, returns the only mesh of all ranks or, if there is no such mesh, the
/// only machine. Fails with a diagnostic if there is none, or if there are
/// several.
FailureOr<Target> chooseTarget(ModuleOp module, StringRef meshName);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_TARGET_H_
