#include "passes/cut/StageGroups.h"

#include <numeric>

namespace sbp {

std::optional<std::vector<Mesh>> divideIntoGroups(const Mesh& mesh,
                                                  int64_t numGroups) {
  Mesh group;
  int64_t left = numGroups;  // number of parts to divide inner axes into
  for (const MeshAxis& axis : mesh.axes) {
    if (left % axis.size == 0) {
      left /= axis.size;
      continue;
    }
    if (axis.size % left != 0) return std::nullopt;
    group.axes.push_back(axis);
    group.axes.back().size /= left;
    left = 1;
  }
  if (left != 1) return std::nullopt;
  if (group.axes.empty()) {
    group.axes.push_back(mesh.axes.back());
    group.axes.back().size = 1;
  }
  int64_t numRanks = group.numRanks();
  std::vector<Mesh> groups(numGroups, group);
  for (int64_t index = 0; index < numGroups; ++index) {
    groups[index].ranks.resize(numRanks);
    std::iota(groups[index].ranks.begin(), groups[index].ranks.end(),
              index * numRanks);
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
