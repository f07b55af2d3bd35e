#include "passes/boxing/PlacementGraph.h"

#include <cassert>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "passes/boxing/Cost.h"

namespace sbp {
namespace {

/// Largest number of nodes of a graph that stores its edges. A larger graph
/// recomputes the edges of a node at each visit.
constexpr size_t kMaxNodesWithEdges = 4000;

/// Whether the axes `some`, a subset of `all`, are the minor-most axes of
/// `all`.
bool areMinorMost(AxisSet some, AxisSet all) {
  AxisSet others = all & ~some;
  // True if the minor-most axis of `others` is before the major-most of `some`.
  return llvm::bit_width(others) <= llvm::countr_zero(some);
}

llvm::SmallVector<int64_t, 3> listOf(AxisSet set) {
  llvm::SmallVector<int64_t, 3> axes;
  for (; set != 0; set &= set - 1) axes.push_back(llvm::countr_zero(set));
  return axes;
}

}  // namespace

PlacementGraph::PlacementGraph(llvm::ArrayRef<Component> components,
                               llvm::ArrayRef<int64_t> shape,
                               int64_t elementBytes, const Mesh& mesh,
                               Bucketing bucketing, const AlikeAxes* alike)
    : components_(components),
      shape_(shape),
      elementBytes_(elementBytes),
      mesh_(mesh),
      bucketing_(bucketing),
      alike_(alike) {
  assert(mesh.axes.size() < 32 && "a set of axes is 32 bits");
  Code numCodes = 1;
  for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    weights_.push_back(numCodes);
    if (mesh.axes[axis].size == 1) continue;
    numCodes *= static_cast<Code>(components.size());
    steppable_ |= AxisSet{1} << axis;
  }
  for (Code code = 0; code < numCodes; ++code) {
    nodes_.push_back(static_cast<int32_t>(codes_.size()));
    if (!alike || representativeOf(code) == code) codes_.push_back(code);
  }
  bytes_.assign(numNodes(), -1);
  if (numNodes() <= kMaxNodesWithEdges) edges_.resize(numNodes());
}

int64_t PlacementGraph::nodeOf(llvm::ArrayRef<Component> placement) const {
  Code code = 0;
  for (auto [weight, component] : llvm::zip(weights_, placement))
    code += weight * (llvm::find(components_, component) - components_.begin());
  return nodes_[alike_ ? representativeOf(code) : code];
}

Placement PlacementGraph::placementOf(int64_t node) const {
  Placement placement;
  for (size_t axis = 0; axis < weights_.size(); ++axis)
    placement.push_back(components_[digit(codes_[node], axis)]);
  return placement;
}

llvm::ArrayRef<PlacementGraph::Edge> PlacementGraph::edgesFrom(int64_t node) {
  std::vector<Edge>& edges = edges_.empty() ? lastEdges_ : edges_[node];
  if (edges_.empty()) edges.clear();
  if (edges.empty()) findEdges(node, edges);
  return edges;
}

BoxingStep PlacementGraph::stepOf(const Edge& edge) const {
  BoxingStep step;
  step.axes = listOf(edge.axes);
  step.from = components_[edge.from];
  step.to = components_[edge.to];
  step.result = placementOf(edge.next);
  return step;
}

PlacementGraph::Code PlacementGraph::representativeOf(Code code) const {
  llvm::SmallVector<int64_t, 8> digits;
  for (size_t axis = 0; axis < weights_.size(); ++axis)
    digits.push_back(digit(code, axis));
  // Insertion sort, since there are few digits and they are nearly sorted.
  for (size_t axis = 1; axis < digits.size(); ++axis)
    for (size_t i = axis;
         i > 0 && alike_->isLikePrevious(i) && digits[i] < digits[i - 1]; --i)
      std::swap(digits[i], digits[i - 1]);
  Code sorted = 0;
  for (auto [weight, value] : llvm::zip(weights_, digits))
    sorted += weight * value;
  return sorted;
}

int64_t PlacementGraph::bytesOf(int64_t node) {
  int64_t& bytes = bytes_[node];
  if (bytes < 0)
    bytes = largestLocalBytes(shape_, elementBytes_, placementOf(node), mesh_);
  return bytes;
}

void PlacementGraph::findEdges(int64_t node, std::vector<Edge>& edges) {
  llvm::SmallVector<AxisSet, 8> axesWith(components_.size());
  for (size_t axis = 0; axis < weights_.size(); ++axis)
    if (steppable_ >> axis & 1)
      axesWith[digit(codes_[node], axis)] |= AxisSet{1} << axis;

  for (size_t from = 0; from < components_.size(); ++from) {
    AxisSet all = axesWith[from];
    // Enumerates all non-empty subsets of `all`.
    for (AxisSet axes = all; axes != 0; axes = (axes - 1) & all) {
      if (!mayLeave(axes, all, components_[from])) continue;
      for (size_t to = 0; to < components_.size(); ++to)
        if (mayEnter(axes, from, to, axesWith))
          edges.push_back(edge(node, axes, from, to));
    }
  }
}

bool PlacementGraph::mayLeave(AxisSet axes, AxisSet all, Component from) const {
  // Among axes that are alike, one subset stands for all subsets of its size.
  if (alike_ && !areMinorMostOfTheirClass(axes, all)) return false;
  return !from.isSplit() || mayBeMinorMost(axes, all);
}

bool PlacementGraph::mayEnter(AxisSet axes, size_t from, size_t to,
                              llvm::ArrayRef<AxisSet> axesWith) const {
  if (from == to) return false;
  if (components_[to].isSplit())
    return mayBeMinorMost(axes, axesWith[to] | axes);
  if (!components_[to].isPartial()) return true;
  // All Partial components of a tensor have the same reduction.
  for (size_t other = 0; other < components_.size(); ++other)
    if (other != to && components_[other].isPartial() &&
        (other == from || axesWith[other] != 0))
      return false;
  return true;
}

bool PlacementGraph::areMinorMostOfTheirClass(AxisSet some, AxisSet all) const {
  for (size_t axis = 1; axis < weights_.size(); ++axis)
    if (alike_->isLikePrevious(axis) && (some >> (axis - 1) & 1) &&
        (all >> axis & 1) && !(some >> axis & 1))
      return false;
  return true;
}

bool PlacementGraph::mayBeMinorMost(AxisSet some, AxisSet all) const {
  if (!alike_) return areMinorMost(some, all);
  AxisSet others = all & ~some;
  if (others == 0) return true;
  return alike_->classes()[llvm::bit_width(others) - 1] <=
         alike_->classes()[llvm::countr_zero(some)];
}

PlacementGraph::Edge PlacementGraph::edge(int64_t node, AxisSet axes,
                                          size_t from, size_t to) {
  Code next = codes_[node];
  for (int64_t axis : listOf(axes))
    next += weights_[axis] *
            (static_cast<int64_t>(to) - static_cast<int64_t>(from));
  Edge edge;
  edge.next = nodes_[alike_ ? representativeOf(next) : next];
  edge.axes = axes;
  edge.from = static_cast<uint8_t>(from);
  edge.to = static_cast<uint8_t>(to);
  const StepKind kind = stepKindOf(components_[from], components_[to]);
  edge.seconds = stepSeconds(kind, listOf(axes), bytesOf(node),
                             bytesOf(edge.next), mesh_, fullBucket(kind, axes));
  return edge;
}

double PlacementGraph::fullBucket(StepKind kind, AxisSet axes) {
  const std::optional<Collective> collective = collectiveOf(kind);
  if (bucketing_.isAlone() || !collective) return 0;
  auto [known, isNew] = fullBuckets_.try_emplace({kind, axes}, 0);
  if (isNew)
    known->second =
        fullBucketBytes(*collective, listOf(axes), mesh_, bucketing_);
  return known->second;
}

}  // namespace sbp
