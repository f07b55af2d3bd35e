// Checks of sbp.machine and sbp.mesh, and their conversion to structures
// without IR.

#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

namespace sbp {

LogicalResult MachineOp::verify() {
  // (C1)
  if (getLevels().empty()) return emitOpError() << "has no levels";
  if (getLevels().size() > kMaxAxes)
    return emitOpError() << "has " << getLevels().size() << " levels; at most "
                         << kMaxAxes << " are known";
  llvm::StringSet<> names;
  for (LevelAttr level : getLevels().getAsRange<LevelAttr>())
    if (!names.insert(level.getName()).second)
      return emitOpError() << "has two levels named '" << level.getName()
                           << "'";
  // (C2)
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
  // (C1)
  if (getAxes().size() > kMaxAxes)
    return emitOpError() << "has " << getAxes().size() << " axes; at most "
                         << kMaxAxes << " are known";
  llvm::StringSet<> names;
  for (AxisAttr axis : getAxes().getAsRange<AxisAttr>())
    if (!names.insert(axis.getName()).second)
      return emitOpError() << "has two axes named '" << axis.getName() << "'";
  return success();
}

namespace {

int64_t numDevices(MachineOp machine) {
  int64_t devices = 1;
  for (LevelAttr level : machine.getLevels().getAsRange<LevelAttr>())
    devices *= level.getCount();
  return devices;
}

/// Fails unless `ranks` of the group `mesh` are different ranks of its machine,
/// and their number is the number of positions on the axes. (C3)
LogicalResult verifyRanks(MeshOp mesh, MachineOp machine,
                          ArrayRef<int64_t> ranks) {
  int64_t numPositions = 1;
  for (AxisAttr axis : mesh.getAxes().getAsRange<AxisAttr>())
    if (llvm::MulOverflow(numPositions, axis.getSize(), numPositions) ||
        numPositions > kMaxDevices)
      return mesh.emitOpError()
             << "has more than " << kMaxDevices << " positions on its axes";
  if (numPositions != static_cast<int64_t>(ranks.size()))
    return mesh.emitOpError()
           << "lists " << ranks.size() << " ranks, but its axes have "
           << numPositions << " positions";
  llvm::DenseSet<int64_t> listed;
  for (int64_t rank : ranks) {
    if (rank < 0 || rank >= numDevices(machine)) {
      mlir::InFlightDiagnostic diagnostic =
          mesh.emitOpError() << "lists rank " << rank << " of "
                             << mesh.getMachineAttr() << ", whose ranks are 0 "
                             << "to " << numDevices(machine) - 1;
      diagnostic.attachNote(machine.getLoc()) << "machine defined here";
      return diagnostic;
    }
    if (!listed.insert(rank).second)
      return mesh.emitOpError() << "lists rank " << rank << " twice";
  }
  return success();
}

/// Verifies `mesh`, which lists ranks of `machine`.
LogicalResult verifyGroup(MeshOp mesh, MachineOp machine) {
  if (failed(verifyRanks(mesh, machine, *mesh.getRanks()))) return failure();
  Mesh levels, group;
  for (LevelAttr level : machine.getLevels().getAsRange<LevelAttr>())
    levels.axes.push_back({level.getName().str(), level.getCount()});
  // (C4)
  for (AxisAttr axis : mesh.getAxes().getAsRange<AxisAttr>()) {
    if (levels.axisNamed(axis.getLevel()) < 0)
      return mesh.emitOpError()
             << "has axis '" << axis.getName() << "' in level '"
             << axis.getLevel() << "', which " << mesh.getMachineAttr()
             << " does not have";
    group.axes.push_back({axis.getName().str(), axis.getSize()});
  }
  // (C4): it is enough to compare each position with the position at coordinate
  // 0 of each axis.
  ArrayRef<int64_t> ranks = *mesh.getRanks();
  int64_t stride = 1;
  auto axes = llvm::to_vector(mesh.getAxes().getAsRange<AxisAttr>());
  for (size_t axis = axes.size(); axis-- > 0;) {
    int64_t level = levels.axisNamed(axes[axis].getLevel());
    for (int64_t position = 0; position < static_cast<int64_t>(ranks.size());
         ++position) {
      int64_t first = position - group.coordinatesOf(position)[axis] * stride;
      auto here = levels.coordinatesOf(ranks[position]);
      auto there = levels.coordinatesOf(ranks[first]);
      for (int64_t outer = 0; outer < level; ++outer)
        if (here[outer] != there[outer])
          return mesh.emitOpError()
                 << "has axis '" << axes[axis].getName() << "' in level '"
                 << axes[axis].getLevel() << "', but ranks " << ranks[first]
                 << " and " << ranks[position] << " along it differ in level '"
                 << levels.axes[outer].name << "'";
    }
    stride *= axes[axis].getSize();
  }
  return success();
}

}  // namespace

LogicalResult MeshOp::verifySymbolUses(mlir::SymbolTableCollection& symbols) {
  // (C5)
  auto machine =
      symbols.lookupNearestSymbolFrom<MachineOp>(*this, getMachineAttr());
  if (!machine)
    return emitOpError() << "names " << getMachineAttr()
                         << ", which is no sbp.machine of this module";

  if (getRanks()) return verifyGroup(*this, machine);
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

/// Returns the op that `symbol` names in the nearest symbol table around `from`
/// that defines it, or null. If `from` is a symbol table, it is not searched: a
/// rank.program is one, but has many symbols and no mesh.
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
  if (auto ranks = meshOp.getRanks())
    mesh.ranks.assign(ranks->begin(), ranks->end());
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
