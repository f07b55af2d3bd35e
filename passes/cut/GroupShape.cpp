#include "passes/cut/GroupShape.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "passes/cost/Collectives.h"

namespace sbp {
namespace {

/// Bytes of the all-reduce by which shapes are compared: where latency and
/// volume both count.
constexpr double kComparedBytes = 16 << 20;

/// Returns the seconds of an all-reduce over all ranks of a group.
double allReduceSeconds(Mesh mesh, const GroupShape& shape) {
  for (auto [axis, count] : llvm::zip(mesh.axes, shape.counts))
    axis.size /= count;
  return collectiveSeconds(
      Collective::AllReduce,
      llvm::to_vector(llvm::seq<int64_t>(0, mesh.axes.size())), kComparedBytes,
      mesh);
}

/// Whether `a` and `b`, neighbour axes, may be exchanged. Axes whose links have
/// measured prices differ.
bool areAlike(const MeshAxis& a, const MeshAxis& b) {
  return a.size == b.size && a.latencySeconds == b.latencySeconds &&
         a.secondsPerByte == b.secondsPerByte && a.prices.empty() &&
         b.prices.empty();
}

/// Returns "1, 2 or 4".
std::string alternatives(const std::vector<int64_t>& numbers) {
  if (numbers.size() == 1) return absl::StrCat(numbers.front());
  return absl::StrCat(absl::StrJoin(llvm::ArrayRef(numbers).drop_back(), ", "),
                      " or ", numbers.back());
}

}  // namespace

int64_t GroupShape::numGroups() const {
  int64_t product = 1;
  for (int64_t count : counts) product *= count;
  return product;
}

std::string GroupShape::str() const { return absl::StrJoin(counts, "x"); }

bool operator<(const GroupShape& a, const GroupShape& b) {
  const int64_t numA = a.numGroups(), numB = b.numGroups();
  return std::tie(numA, b.counts) < std::tie(numB, a.counts);
}

std::optional<GroupShape> outermostShape(const Mesh& mesh, int64_t numGroups) {
  GroupShape shape;
  int64_t left = numGroups;  // number of parts to divide inner axes into
  for (const MeshAxis& axis : mesh.axes) {
    const int64_t count = left % axis.size == 0 ? axis.size : left;
    if (axis.size % count != 0) return std::nullopt;
    shape.counts.push_back(count);
    left /= count;
  }
  if (left != 1) return std::nullopt;
  return shape;
}

std::optional<GroupShape> shapeOf(const Mesh& mesh, const GroupCounts& counts) {
  if (!counts.isPerAxis()) return outermostShape(mesh, counts.numGroups());
  if (counts.counts().size() != mesh.axes.size()) return std::nullopt;
  for (auto [axis, count] : llvm::zip(mesh.axes, counts.counts()))
    if (axis.size % count != 0) return std::nullopt;
  return GroupShape{counts.counts()};
}

GroupCounts countsOf(const Mesh& mesh, const GroupShape& shape) {
  const int64_t numGroups = shape.numGroups();
  if (outermostShape(mesh, numGroups) == shape) return numGroups;
  return GroupCounts(shape.counts);
}

std::string possibleCounts(const Mesh& mesh) {
  std::vector<int64_t> numbers;
  for (const GroupShape& shape : outermostShapes(mesh, mesh.numRanks()))
    numbers.push_back(shape.numGroups());
  std::string text = alternatives(numbers);
  if (mesh.axes.size() < 2) return text;
  std::vector<std::string> perAxis;
  for (const MeshAxis& axis : mesh.axes) {
    std::vector<int64_t> divisors;
    for (int64_t count = 1; count <= axis.size; ++count)
      if (axis.size % count == 0) divisors.push_back(count);
    perAxis.push_back(absl::StrCat("(", alternatives(divisors), ")"));
  }
  return absl::StrCat(text, ", or per axis ", absl::StrJoin(perAxis, " x "));
}

std::vector<GroupShape> outermostShapes(const Mesh& mesh, int64_t most) {
  std::vector<GroupShape> shapes;
  for (int64_t count = 1; count <= std::min(most, mesh.numRanks()); ++count)
    if (auto shape = outermostShape(mesh, count))
      shapes.push_back(std::move(*shape));
  return shapes;
}

std::vector<GroupShape> innerShapes(const Mesh& mesh, int64_t most) {
  const std::vector<GroupShape> outermost = outermostShapes(mesh, most);
  std::vector<std::pair<double, GroupShape>> found;
  for (size_t axis = 1; axis < mesh.axes.size(); ++axis) {
    if (areAlike(mesh.axes[axis - 1], mesh.axes[axis])) continue;
    const int64_t size = mesh.axes[axis].size;
    for (int64_t count = 2; count <= std::min(size, most); ++count) {
      if (size % count != 0) continue;
      GroupShape shape{std::vector<int64_t>(mesh.axes.size(), 1)};
      shape.counts[axis] = count;
      if (llvm::is_contained(outermost, shape)) continue;
      // The shape of one group is among the outermost ones.
      const auto compared = std::prev(
          llvm::partition_point(outermost, [count](const GroupShape& other) {
            return other.numGroups() <= count;
          }));
      found.emplace_back(
          allReduceSeconds(mesh, shape) / allReduceSeconds(mesh, *compared),
          std::move(shape));
    }
  }
  llvm::sort(found);
  std::vector<GroupShape> shapes;
  for (auto& [ratio, shape] : found) shapes.push_back(std::move(shape));
  return shapes;
}

}  // namespace sbp
