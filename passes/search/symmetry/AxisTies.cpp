#include "passes/search/symmetry/AxisTies.h"

#include <algorithm>

namespace sbp::search {

std::vector<int64_t> groupsOf(const Mesh& mesh, AxisTies ties) {
  std::vector<int64_t> groups;
  int64_t numGroups = 0;
  int64_t last = -1;  // last axis of more than one device
  for (const MeshAxis& axis : mesh.axes) {
    bool isTied =
        axis.size > 1 && last >= 0 &&
        (ties == AxisTies::OfTheMesh ||
         (ties == AxisTies::OfALevel && mesh.axes[last].level == axis.level));
    groups.push_back(isTied ? groups[last] : numGroups++);
    if (axis.size > 1) last = static_cast<int64_t>(groups.size()) - 1;
  }
  return groups;
}

}  // namespace sbp::search
