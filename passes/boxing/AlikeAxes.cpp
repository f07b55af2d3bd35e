#include "passes/boxing/AlikeAxes.h"

#include <algorithm>

namespace sbp {

AlikeAxes::AlikeAxes(const Mesh& mesh) {
  for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    if (axis == 0) {
      classOf_.push_back(0);
      continue;
    }
    const MeshAxis& before = mesh.axes[axis - 1];
    const MeshAxis& here = mesh.axes[axis];
    bool isLike = before.level == here.level && before.size == here.size &&
                  before.latencySeconds == here.latencySeconds &&
                  before.secondsPerByte == here.secondsPerByte;
    classOf_.push_back(classOf_.back() + (isLike ? 0 : 1));
  }
}

Placement AlikeAxes::representativeOf(
    llvm::ArrayRef<Component> placement) const {
  Placement result(placement);
  for (size_t begin = 0; begin < result.size();) {
    size_t end = begin + 1;
    while (end < result.size() && classOf_[end] == classOf_[begin]) ++end;
    std::sort(result.begin() + begin, result.begin() + end);
    begin = end;
  }
  return result;
}

}  // namespace sbp
