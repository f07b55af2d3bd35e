#include "passes/localize/RankClasses.h"

#include <map>

namespace sbp {

void Cuts::add(llvm::ArrayRef<int64_t> shape,
               llvm::ArrayRef<Component> placement) {
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    Cut cut{shape[dim], {}};
    for (size_t axis = 0; axis < placement.size(); ++axis)
      if (placement[axis].isSplitAlong(dim)) cut.axes.push_back(axis);
    if (!cut.axes.empty()) cuts_.insert(std::move(cut));
  }
}

std::vector<std::vector<int64_t>> Cuts::partsOf(const Mesh& mesh) const {
  std::vector<std::vector<int64_t>> partsOf(mesh.numRanks());
  for (const Cut& cut : cuts_) {
    int64_t devices = 1;
    for (int64_t axis : cut.axes) devices *= mesh.axes[axis].size;
    if (cut.extent % devices == 0) continue;  // all parts are equal
    for (int64_t place = 0; place < mesh.numRanks(); ++place) {
      auto coordinates = mesh.coordinatesOf(place);
      int64_t part = cut.extent;
      for (int64_t axis : cut.axes)
        part =
            sbp::partOf(part, mesh.axes[axis].size, coordinates[axis]).size();
      partsOf[place].push_back(part);
    }
  }
  return partsOf;
}

std::vector<std::vector<int64_t>> rankClasses(
    int64_t numRanks, const std::vector<CutsOnMesh>& meshes) {
  // The key of a rank has, for each mesh that the rank is on, the number of the
  // mesh followed by the sizes of the rank's parts.
  std::vector<std::vector<int64_t>> keys(numRanks);
  for (size_t number = 0; number < meshes.size(); ++number) {
    const Mesh& mesh = *meshes[number].mesh;
    auto parts = meshes[number].cuts.partsOf(mesh);
    for (int64_t place = 0; place < mesh.numRanks(); ++place) {
      std::vector<int64_t>& key = keys[mesh.rankAt(place)];
      key.push_back(static_cast<int64_t>(number));
      key.insert(key.end(), parts[place].begin(), parts[place].end());
    }
  }

  std::vector<std::vector<int64_t>> classes;
  std::map<std::vector<int64_t>, size_t> classOf;
  for (int64_t rank = 0; rank < numRanks; ++rank) {
    auto [entry, isNew] = classOf.try_emplace(keys[rank], classes.size());
    if (isNew) classes.emplace_back();
    classes[entry->second].push_back(rank);
  }
  return classes;
}

}  // namespace sbp
