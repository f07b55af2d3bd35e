// What a program is placed on.

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
  mlir::FlatSymbolRefAttr name;  // of the mesh
  Mesh mesh;
  std::optional<Device> device;  // where the machine describes it

  /// The device, or one that computes 100 GFLOP/s, moves 10 GB/s and has
  /// memory without end. If it has no rate for a type with which `module`
  /// computes, it computes 100 GFLOP/s with that. What was assumed is said in a
  /// remark at the machine.
  Device deviceOrAssumed(ModuleOp module) const;
};

/// The mesh of `module` that is called `meshName`, or the only one if that is
/// empty; a machine that a mesh arranges does not count beside it, and groups
/// do not count. Fails with a diagnostic that lists the meshes.
FailureOr<Target> chooseTarget(ModuleOp module, StringRef meshName);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_TARGET_H_
