#include "dialects/sbp/Algebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sbp {

llvm::StringRef stringOf(Reduction reduction) {
  switch (reduction) {
    case Reduction::Sum:
      return "sum";
    case Reduction::Max:
      return "max";
    case Reduction::Min:
      return "min";
  }
  llvm_unreachable("a reduction is one of three");
}

std::string Component::str() const {
  switch (kind_) {
    case Kind::Broadcast:
      return "B";
    case Kind::Split:
      return "S(" + std::to_string(value_) + ")";
    case Kind::Partial:
      return "P(" + stringOf(reduction()).str() + ")";
  }
  llvm_unreachable("a component is one of three kinds");
}

std::string stringOf(llvm::ArrayRef<Component> placement) {
  auto names = llvm::map_range(
      placement, [](const Component& component) { return component.str(); });
  return "[" + llvm::join(names, ", ") + "]";
}

int64_t Mesh::numRanks() const {
  int64_t ranks = 1;
  for (const MeshAxis& axis : axes) ranks *= axis.size;
  return ranks;
}

llvm::SmallVector<int64_t, 3> Mesh::coordinatesOf(int64_t position) const {
  llvm::SmallVector<int64_t, 3> coordinates(axes.size());
  for (size_t axis = axes.size(); axis-- > 0;) {
    coordinates[axis] = position % axes[axis].size;
    position /= axes[axis].size;
  }
  return coordinates;
}

int64_t Mesh::rankAt(int64_t position) const {
  return ranks.empty() ? position : ranks[position];
}

int64_t Mesh::positionOf(int64_t rank) const {
  if (ranks.empty()) return rank < numRanks() ? rank : -1;
  const auto* found = llvm::find(ranks, rank);
  return found == ranks.end() ? -1 : found - ranks.begin();
}

int64_t Mesh::axisNamed(llvm::StringRef name) const {
  for (auto [index, axis] : llvm::enumerate(axes))
    if (axis.name == name) return index;
  return -1;
}

Interval partOf(int64_t extent, int64_t count, int64_t index) {
  return {index * extent / count, (index + 1) * extent / count};
}

Interval partOf(int64_t extent, int64_t dim,
                llvm::ArrayRef<Component> placement, const Mesh& mesh,
                llvm::ArrayRef<int64_t> coordinates) {
  Interval part{0, extent};
  for (size_t axis = 0; axis < placement.size(); ++axis) {
    if (!placement[axis].isSplitAlong(dim)) continue;
    Interval inner =
        partOf(part.size(), mesh.axes[axis].size, coordinates[axis]);
    part = {part.begin + inner.begin, part.begin + inner.end};
  }
  return part;
}

llvm::SmallVector<int64_t> localShape(llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<Component> placement,
                                      const Mesh& mesh,
                                      llvm::ArrayRef<int64_t> coordinates) {
  llvm::SmallVector<int64_t> local(shape);
  for (auto [dim, extent] : llvm::enumerate(local))
    extent = partOf(extent, dim, placement, mesh, coordinates).size();
  return local;
}

}  // namespace sbp
