// Machines and meshes: sbp.machine, sbp.mesh, and what they mean without IR.

#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

namespace sbp {

LogicalResult MachineOp::verify() {
  if (getLevels().empty()) return emitOpError() << "has no levels";
  if (getLevels().size() > kMaxAxes)
    return emitOpError() << "has " << getLevels().size() << " levels; at most "
                         << kMaxAxes << " are known";
  llvm::StringSet<> names;
  for (LevelAttr level : getLevels().getAsRange<LevelAttr>())
    if (!names.insert(level.getName()).second)
      return emitOpError() << "has two levels named '" << level.getName()
                           << "'";
  int64_t numDevices = 1;
  for (LevelAttr level : getLevels().getAsRange<LevelAttr>())
    if (llvm::MulOverflow(numDevices, level.getCount(), numDevices) ||
        numDevices > kMaxDevices)
      return emitOpError() << "has, from its outermost level to '"
                           << level.getName() << "', more than " << kMaxDevices
                           << " devices";
  return success();
}

LogicalResult MeshOp::verify() {
  if (getAxes().size() > kMaxAxes)
    return emitOpError() << "has " << getAxes().size() << " axes; at most "
                         << kMaxAxes << " are known";
  llvm::StringSet<> names;
  for (AxisAttr axis : getAxes().getAsRange<AxisAttr>())
    if (!names.insert(axis.getName()).second)
      return emitOpError() << "has two axes named '" << axis.getName() << "'";
  return success();
}

LogicalResult MeshOp::verifySymbolUses(mlir::SymbolTableCollection& symbols) {
  auto machine =
      symbols.lookupNearestSymbolFrom<MachineOp>(*this, getMachineAttr());
  if (!machine)
    return emitOpError() << "names " << getMachineAttr()
                         << ", which is no sbp.machine of this module";

  // (C2)
  auto axes = llvm::to_vector(getAxes().getAsRange<AxisAttr>());
  size_t next = 0;
  for (LevelAttr level : machine.getLevels().getAsRange<LevelAttr>()) {
    int64_t size = 1;
    size_t first = next;
    while (next < axes.size() && axes[next].getLevel() == level.getName())
      size *= axes[next++].getSize();
    if (next > first && size == level.getCount()) continue;
    mlir::InFlightDiagnostic diagnostic =
        emitOpError() << "has axes of " << size << " devices in level '"
                      << level.getName() << "', which has " << level.getCount();
    diagnostic.attachNote(machine.getLoc()) << "machine defined here";
    return diagnostic;
  }
  if (next < axes.size())
    return emitOpError() << "has axis '" << axes[next].getName()
                         << "' in level '" << axes[next].getLevel()
                         << "', which is not the machine's next level";
  return success();
}

namespace {

/// The symbol in the nearest symbol table around `from` that has it: a mesh is
/// defined in the module, and used inside the symbol tables of rank programs.
/// Those have many symbols and no mesh, so what a rank.program itself names is
/// not looked for inside of it.
Operation* lookupOutwards(Operation* from, mlir::FlatSymbolRefAttr symbol) {
  Operation* around = from->getParentOp() ? from->getParentOp() : from;
  for (Operation* at = around; at; at = at->getParentOp()) {
    if (!at->hasTrait<mlir::OpTrait::SymbolTable>()) continue;
    if (Operation* found = mlir::SymbolTable::lookupSymbolIn(at, symbol))
      return found;
  }
  return nullptr;
}

}  // namespace

FailureOr<Mesh> lookupMesh(Operation* from, mlir::FlatSymbolRefAttr symbol) {
  Operation* found = lookupOutwards(from, symbol);
  Mesh mesh;
  if (auto machine = llvm::dyn_cast_if_present<MachineOp>(found)) {
    for (LevelAttr level : machine.getLevels().getAsRange<LevelAttr>())
      mesh.axes.push_back({level.getName().str(), level.getCount(),
                           level.getAlpha().convertToDouble(),
                           level.getBeta().convertToDouble(), level.getTables(),
                           static_cast<int64_t>(mesh.axes.size())});
    return mesh;
  }
  auto meshOp = llvm::dyn_cast_if_present<MeshOp>(found);
  if (!meshOp) {
    from->emitOpError() << "uses the mesh " << symbol
                        << ", which the module does not define";
    return failure();
  }
  FailureOr<Mesh> levels = lookupMesh(meshOp, meshOp.getMachineAttr());
  if (failed(levels)) return failure();
  for (AxisAttr axis : meshOp.getAxes().getAsRange<AxisAttr>()) {
    const MeshAxis& level = levels->axes[levels->axisNamed(axis.getLevel())];
    mesh.axes.push_back({axis.getName().str(), axis.getSize(),
                         level.latencySeconds, level.secondsPerByte,
                         level.prices, level.level});
  }
  return mesh;
}

MachineOp lookupMachine(Operation* from, mlir::FlatSymbolRefAttr symbol) {
  Operation* found = lookupOutwards(from, symbol);
  if (auto mesh = llvm::dyn_cast_if_present<MeshOp>(found))
    found = lookupOutwards(mesh, mesh.getMachineAttr());
  return llvm::dyn_cast_if_present<MachineOp>(found);
}

std::optional<Device> lookupDevice(Operation* from,
                                   mlir::FlatSymbolRefAttr symbol) {
  MachineOp machine = lookupMachine(from, symbol);
  if (!machine || !machine.getDevice()) return std::nullopt;
  return machine.getDevice()->getDevice();
}

}  // namespace sbp
