#include "passes/placement/Target.h"

#include <limits>
#include <string>
#include <vector>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/cost/OpCost.h"
#include "passes/cost/Roofline.h"

namespace sbp {
namespace {

constexpr double kAssumedFlopsPerSecond = 1e11;
constexpr double kAssumedBytesPerSecond = 1e10;

/// Returns the types with which ops of `module` compute but for which `device`
/// has no rate.
std::vector<ScalarType> typesWithoutRate(ModuleOp module,
                                         const Device& device) {
  std::vector<ScalarType> types;
  module.walk([&](DistributedOpInterface op) {
    if (op.getLoopNest().flopsPerPoint == 0) return;
    ScalarType type = computedType(op);
    if (!rateOf(device, type) &&
        llvm::none_of(types, [&](const ScalarType& known) {
          return known.name == type.name;
        }))
      types.push_back(type);
  });
  return types;
}

std::string namesOf(llvm::ArrayRef<ScalarType> types) {
  return llvm::join(
      llvm::map_range(types, [](const ScalarType& type) { return type.name; }),
      ", ");
}

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
  SmallVector<Operation*> found;
  for (auto mesh : module.getOps<MeshOp>())
    if (!mesh.getRanks()) found.push_back(mesh);
  const char* what = "meshes";
  if (found.empty()) {
    what = "machines";
    for (auto machine : module.getOps<MachineOp>()) found.push_back(machine);
  }
  if (found.empty())
    return module.emitError()
           << "the module defines no sbp.machine to place the program on";
  if (found.size() == 1)
    return mlir::FlatSymbolRefAttr::get(
        mlir::SymbolTable::getSymbolName(found.front()));
  // Report at the second one, without which the choice would be unique.
  mlir::InFlightDiagnostic error = mlir::emitError(found[1]->getLoc())
                                   << "the program can be placed on "
                                   << found.size() << " " << what << ",";
  for (Operation* op : found)
    error << " @" << mlir::SymbolTable::getSymbolName(op).getValue();
  error << "; --mesh NAME chooses one";
  error.attachNote(found[0]->getLoc()) << "the first is defined here";
  return error;
}

}  // namespace

Device Target::deviceOrAssumed(ModuleOp module) const {
  MachineOp machine = lookupMachine(module, name);
  if (!device) {
    machine.emitRemark() << name
                         << " describes no device, so that plans are compared "
                            "as if devices had 100 GFLOP/s and 10 GB/s; the "
                            "'device' of an sbp.machine gives their rates, and "
                            "sbprun --calibrate measures them";
    // A type without a rate has that of a wider float type, so f64 serves all
    // types.
    return {std::numeric_limits<double>::infinity(),
            kAssumedBytesPerSecond,
            {{{"f64", /*isFloat=*/true, 64}, kAssumedFlopsPerSecond, {}}}};
  }
  Device assumed = *device;
  std::vector<ScalarType> missing = typesWithoutRate(module, assumed);
  if (missing.empty()) return assumed;
  std::vector<ScalarType> known;
  for (const Rate& rate : assumed.rates) known.push_back(rate.type);
  for (const ScalarType& type : missing)
    assumed.rates.push_back({type, kAssumedFlopsPerSecond, {}});
  std::string has = known.empty() ? " has no rates"
                                  : " has rates for " + namesOf(known) +
                                        ", but not for " + namesOf(missing);
  machine.emitRemark() << name << has
                       << ", so that plans are compared as if devices computed "
                          "with "
                       << namesOf(missing) << " at 100 GFLOP/s";
  return assumed;
}

FailureOr<Target> chooseTarget(ModuleOp module, StringRef meshName) {
  FailureOr<mlir::FlatSymbolRefAttr> name = chooseMesh(module, meshName);
  if (failed(name)) return failure();
  FailureOr<Mesh> mesh = lookupMesh(module, *name);
  if (failed(mesh)) return failure();
  return Target{*name, *mesh, lookupDevice(module, *name)};
}

}  // namespace sbp
