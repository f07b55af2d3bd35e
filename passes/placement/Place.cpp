// --sbp-place: pins, completed by propagation or by search. See Passes.td.

#include <limits>
#include <optional>

#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/placement/Passes.h"
#include "passes/placement/Placeable.h"
#include "passes/placement/Placer.h"
#include "passes/placement/Plan.h"
#include "passes/placement/Propagation.h"
#include "passes/search/program/SearchPlan.h"

namespace sbp {

#define GEN_PASS_DEF_PLACE
#include "passes/placement/Passes.h.inc"

namespace {

using mlir::func::FuncOp;

/// The symbol of the mesh to place on: the one named, or the only one. A
/// machine that a mesh arranges does not count beside it.
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

bool hasPlacedFunction(ModuleOp module) {
  for (auto function : module.getOps<FuncOp>())
    for (mlir::Block& block : function.getBody())
      for (Operation& op : block)
        for (Type type : op.getResultTypes())
          if (NdSbpAttr::of(type)) return true;
  return false;
}

bool hasPin(ModuleOp module) {
  mlir::WalkResult walk = module.walk([](Operation* op) {
    bool isPinned = llvm::isa<PinOp>(op) || op->hasAttr(kPinAttrName) ||
                    op->hasAttr(kStatePinAttrName);
    if (auto function = llvm::dyn_cast<FuncOp>(op))
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (function.getArgAttr(i, kPinAttrName)) isPinned = true;
    return isPinned ? mlir::WalkResult::interrupt()
                    : mlir::WalkResult::advance();
  });
  return walk.wasInterrupted();
}

struct Place : impl::PlaceBase<Place> {
  using PlaceBase::PlaceBase;

  LogicalResult place(ModuleOp module, mlir::FlatSymbolRefAttr name,
                      const Mesh& mesh) {
    if (by == PlaceBy::Propagation) {
      Propagation propagation(mesh, /*splitsInputs=*/!hasPin(module));
      return placeModule(module, name, mesh, propagation);
    }
    if (failed(verifyPlaceable(module, name, mesh))) return failure();
    std::optional<Device> device = lookupDevice(module, name);
    if (!device) {
      module.emitRemark() << name
                          << " describes no device; to compute is priced "
                          << "as at 100 GFLOP/s and 10 GB/s";
      device = Device{std::numeric_limits<double>::infinity(),
                      1e10,
                      {{ScalarType(), 1e11, {}}}};
    }
    FailureOr<search::SearchedPlan> searched =
        search::searchPlan(module, mesh, *device);
    if (failed(searched)) return failure();
    Planned planned(searched->plan);
    return placeModule(module, name, mesh, planned);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // A program that is placed, or split over ranks, stays as it is.
    if (hasPlacedFunction(module) || module.getOps<FuncOp>().empty()) return;
    FailureOr<mlir::FlatSymbolRefAttr> name = chooseMesh(module, mesh);
    if (failed(name)) return signalPassFailure();
    FailureOr<Mesh> found = lookupMesh(module, *name);
    if (failed(found)) return signalPassFailure();
    if (failed(place(module, *name, *found))) signalPassFailure();
  }
};

}  // namespace
}  // namespace sbp
