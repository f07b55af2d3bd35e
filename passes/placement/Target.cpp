#include "passes/placement/Target.h"

#include <limits>

#include "dialects/sbp/Sbp.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {
namespace {

FailureOr<mlir::FlatSymbolRefAttr> chooseMesh(ModuleOp module, StringRef name) {
  if (!name.empty()) {
    Operation* found = module.lookupSymbol(name);
    if (!llvm::isa_and_present<MachineOp, MeshOp>(found)) {
      mlir::InFlightDiagnostic error = module.emitError()
                                       << "the module defines no mesh @" << name
                                       << "; it has";
      for (Operation& op : *module.getBody())
        if (llvm::isa<MachineOp, MeshOp>(op))
          error << " @" << mlir::SymbolTable::getSymbolName(&op).getValue();
      return error;
    }
    return mlir::FlatSymbolRefAttr::get(module.getContext(), name);
  }
  SmallVector<mlir::StringAttr> names;
  for (auto mesh : module.getOps<MeshOp>())
    names.push_back(mesh.getSymNameAttr());
  if (names.empty())
    for (auto machine : module.getOps<MachineOp>())
      names.push_back(machine.getSymNameAttr());
  if (names.size() == 1) return mlir::FlatSymbolRefAttr::get(names.front());
  if (names.empty())
    return module.emitError()
           << "the module defines no sbp.machine to place the program on";
  mlir::InFlightDiagnostic error =
      module.emitError() << "the module defines " << names.size() << " meshes,";
  for (mlir::StringAttr each : names) error << " @" << each.getValue();
  return error << "; the option mesh says which one to place on";
}

}  // namespace

Device Target::deviceOrAssumed(ModuleOp module) const {
  if (device) return *device;
  module.emitRemark() << name
                      << " describes no device; to compute is priced as "
                         "at 100 GFLOP/s and 10 GB/s";
  return {std::numeric_limits<double>::infinity(),
          1e10,
          {{ScalarType(), 1e11, {}}}};
}

FailureOr<Target> chooseTarget(ModuleOp module, StringRef meshName) {
  FailureOr<mlir::FlatSymbolRefAttr> name = chooseMesh(module, meshName);
  if (failed(name)) return failure();
  FailureOr<Mesh> mesh = lookupMesh(module, *name);
  if (failed(mesh)) return failure();
  return Target{*name, *mesh, lookupDevice(module, *name)};
}

}  // namespace sbp
