#include "passes/cut/StageGroups.h"

namespace sbp {

std::vector<Mesh> divideIntoGroups(const Mesh& mesh, const GroupShape& shape) {
  Mesh group;
  for (auto [axis, count] : llvm::zip(mesh.axes, shape.counts)) {
    if (axis.size == count) continue;
    group.axes.push_back(axis);
    group.axes.back().size /= count;
  }
  if (group.axes.empty()) {
    group.axes.push_back(mesh.axes.back());
    group.axes.back().size = 1;
  }
  std::vector<Mesh> groups(shape.numGroups(), group);
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    int64_t number = 0;
    for (auto [axis, count, coordinate] :
         llvm::zip(mesh.axes, shape.counts, mesh.coordinatesOf(rank)))
      number = number * count + coordinate / (axis.size / count);
    groups[number].ranks.push_back(rank);
  }
  return groups;
}

MeshOp createGroup(OpBuilder& builder, StringRef name, MachineOp machine,
                   const Mesh& mesh) {
  SmallVector<Attribute> axes;
  for (const MeshAxis& axis : mesh.axes) {
    auto level = llvm::cast<LevelAttr>(machine.getLevels()[axis.level]);
    axes.push_back(AxisAttr::get(builder.getContext(), axis.name, axis.size,
                                 level.getName()));
  }
  return MeshOp::create(builder, machine.getLoc(), builder.getStringAttr(name),
                        mlir::FlatSymbolRefAttr::get(machine),
                        builder.getDenseI64ArrayAttr(mesh.ranks),
                        builder.getArrayAttr(axes));
}

}  // namespace sbp
