#include "runtime/plan/Box.h"

namespace sbp::plan {

Range evenPart(Range whole, int64_t index, int64_t count) {
  const int64_t begin = index * whole.size / count;
  const int64_t end = (index + 1) * whole.size / count;
  return {whole.begin + begin, end - begin};
}

std::vector<int64_t> coordinatesOf(const Group& group, int64_t rank) {
  int64_t position = group.positionOf(rank);
  std::vector<int64_t> coordinates(group.axes.size());
  for (size_t axis = coordinates.size(); axis-- > 0;) {
    coordinates[axis] = position % group.axes[axis].size;
    position /= group.axes[axis].size;
  }
  return coordinates;
}

Range nestedPart(const Group& group, const std::vector<int64_t>& axes,
                 const std::vector<int64_t>& coordinates, int64_t extent) {
  Range part{0, extent};
  for (int64_t axis : axes)
    part = evenPart(part, coordinates[axis], group.axes[axis].size);
  return part;
}

Box localBox(const Group& group, const Tensor& tensor, int64_t rank) {
  Box box;
  for (int64_t extent : tensor.shape) box.push_back({0, extent});
  const std::vector<int64_t> coordinates = coordinatesOf(group, rank);
  for (size_t axis = 0; axis < coordinates.size(); ++axis) {
    const Component& component = tensor.placement[axis];
    if (component.kind != Component::Kind::kSplit) continue;
    Range& range = box[component.dim];
    range = evenPart(range, coordinates[axis], group.axes[axis].size);
  }
  return box;
}

std::vector<int64_t> shapeOf(const Box& box) {
  std::vector<int64_t> shape;
  for (const Range& range : box) shape.push_back(range.size);
  return shape;
}

int64_t numElements(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

int64_t localBytes(const Group& group, const Tensor& tensor, int64_t rank) {
  if (!group.has(rank)) return 0;
  return numElements(shapeOf(localBox(group, tensor, rank))) *
         byteWidth(tensor.elementType);
}

bool isPrincipal(const Group& group, const Tensor& tensor, int64_t rank) {
  if (!group.has(rank)) return false;
  const std::vector<int64_t> coordinates = coordinatesOf(group, rank);
  for (size_t axis = 0; axis < coordinates.size(); ++axis)
    if (tensor.placement[axis].kind == Component::Kind::kBroadcast &&
        coordinates[axis] != 0)
      return false;
  return true;
}

}  // namespace sbp::plan
