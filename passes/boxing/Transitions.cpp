#include "passes/boxing/Transitions.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "passes/boxing/Cost.h"

namespace sbp {
namespace {

/// A set of mesh axes: bit i is axis i.
using AxisSet = uint32_t;

/// What a path costs: first picoseconds, then steps. Integers, so that sums in
/// another order are not another price.
struct Price {
  int64_t picoseconds = std::numeric_limits<int64_t>::max();
  int64_t steps = 0;

  friend bool operator<(const Price& a, const Price& b) {
    return std::tie(a.picoseconds, a.steps) < std::tie(b.picoseconds, b.steps);
  }
  friend bool operator==(const Price& a, const Price& b) {
    return a.picoseconds == b.picoseconds && a.steps == b.steps;
  }
};

/// Whether of `all`, which contains `some`, those in `some` are the minor-most.
bool areMinorMost(AxisSet some, AxisSet all) {
  AxisSet others = all & ~some;
  // The others' most minor axis stands before the most major of `some`.
  return llvm::bit_width(others) <= llvm::countr_zero(some);
}

/// The components that a tensor may have on its way from `from` to `to`.
Placement componentsBetween(llvm::ArrayRef<Component> from,
                            llvm::ArrayRef<Component> to, int64_t rank) {
  Placement components = {Component::broadcast()};
  for (int64_t dim = 0; dim < rank; ++dim)
    components.push_back(Component::split(dim));
  for (llvm::ArrayRef<Component> end : {from, to})
    for (Component component : end)
      if (!llvm::is_contained(components, component))
        components.push_back(component);
  return components;
}

/// `placement` with Broadcast on axes of one device. All components mean the
/// same there; Broadcast goes with all others in between, a Partial only with
/// its like.
Placement withoutIdleAxes(llvm::ArrayRef<Component> placement,
                          const Mesh& mesh) {
  assert(placement.size() == mesh.axes.size() && "one component per mesh axis");
  Placement result(placement);
  for (auto [component, axis] : llvm::zip(result, mesh.axes))
    if (axis.size == 1) component = Component::broadcast();
  return result;
}

}  // namespace

/// All steps between the placements of one tensor. A node is a number whose
/// digit i is the index of axis i's component in `components`.
class TransitionTable::Graph {
 public:
  struct Edge {
    int64_t next = 0;
    AxisSet axes = 0;
    uint8_t from = 0, to = 0;  // components
    double seconds = 0;
  };

  /// If `alike` is not null, up to the names of these axes.
  Graph(llvm::ArrayRef<Component> components, llvm::ArrayRef<int64_t> shape,
        int64_t elementBytes, const Mesh& mesh, const AlikeAxes* alike)
      : components_(components),
        shape_(shape),
        elementBytes_(elementBytes),
        mesh_(mesh),
        alike_(alike) {
    assert(mesh.axes.size() < 32 && "a set of axes is 32 bits");
    size_t numNodes = 1;
    for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
      weights_.push_back(numNodes);
      numNodes *= components.size();
      if (mesh.axes[axis].size > 1) steppable_ |= AxisSet{1} << axis;
    }
    bytes_.assign(numNodes, -1);
    if (numNodes <= kMaxNodesWithEdges) edges_.resize(numNodes);
  }

  size_t numNodes() const { return bytes_.size(); }

  int64_t nodeOf(llvm::ArrayRef<Component> placement) const {
    int64_t node = 0;
    for (auto [axis, component] : llvm::enumerate(placement))
      node += weights_[axis] *
              (llvm::find(components_, component) - components_.begin());
    return alike_ ? withoutNames(node) : node;
  }

  Placement placementOf(int64_t node) const {
    Placement placement;
    for (size_t axis = 0; axis < weights_.size(); ++axis)
      placement.push_back(components_[digit(node, axis)]);
    return placement;
  }

  /// The steps from `node`; good until asked for those of another node.
  llvm::ArrayRef<Edge> edgesFrom(int64_t node) {
    std::vector<Edge>& edges = edges_.empty() ? passing_ : edges_[node];
    if (edges_.empty()) edges.clear();
    if (edges.empty()) findEdges(node, edges);
    return edges;
  }

  Step stepOf(const Edge& edge) const {
    Step step;
    step.axes = listOf(edge.axes);
    step.from = components_[edge.from];
    step.to = components_[edge.to];
    step.result = placementOf(edge.next);
    return step;
  }

 private:
  /// Of larger graphs, edges are found anew each time.
  static constexpr size_t kMaxNodesWithEdges = 3000;

  int64_t digit(int64_t node, size_t axis) const {
    return node / weights_[axis] % static_cast<int64_t>(components_.size());
  }

  static llvm::SmallVector<int64_t, 3> listOf(AxisSet set) {
    llvm::SmallVector<int64_t, 3> axes;
    for (; set != 0; set &= set - 1) axes.push_back(llvm::countr_zero(set));
    return axes;
  }

  /// The node that stands for all that differ from `node` in names.
  int64_t withoutNames(int64_t node) const {
    llvm::SmallVector<int64_t, 8> digits;
    for (size_t axis = 0; axis < weights_.size(); ++axis)
      digits.push_back(digit(node, axis));
    // Insertion, as there are few and they are all but sorted.
    for (size_t axis = 1; axis < digits.size(); ++axis)
      for (size_t i = axis;
           i > 0 && alike_->isLikePrevious(i) && digits[i] < digits[i - 1]; --i)
        std::swap(digits[i], digits[i - 1]);
    int64_t sorted = 0;
    for (auto [weight, value] : llvm::zip(weights_, digits))
      sorted += weight * value;
    return sorted;
  }

  int64_t bytesOf(int64_t node) {
    int64_t& bytes = bytes_[node];
    if (bytes < 0)
      bytes =
          largestLocalBytes(shape_, elementBytes_, placementOf(node), mesh_);
    return bytes;
  }

  void findEdges(int64_t node, std::vector<Edge>& edges) {
    llvm::SmallVector<AxisSet, 8> axesWith(components_.size());
    for (size_t axis = 0; axis < weights_.size(); ++axis)
      if (steppable_ >> axis & 1)
        axesWith[digit(node, axis)] |= AxisSet{1} << axis;

    for (size_t from = 0; from < components_.size(); ++from) {
      AxisSet all = axesWith[from];
      // All subsets of `all` but the empty one.
      for (AxisSet axes = all; axes != 0; axes = (axes - 1) & all) {
        if (!mayLeave(axes, all, components_[from])) continue;
        for (size_t to = 0; to < components_.size(); ++to)
          if (mayEnter(axes, from, to, axesWith))
            edges.push_back(edge(node, axes, from, to));
      }
    }
  }

  /// Whether of the axes `all`, which have the component `from`, those in
  /// `axes` may leave it.
  bool mayLeave(AxisSet axes, AxisSet all, Component from) const {
    // Of axes without names, one choice stands for all of as many.
    if (alike_ && !areMinorMostOfTheirClass(axes, all)) return false;
    return !from.isSplit() || mayBeMinorMost(axes, all);
  }

  bool mayEnter(AxisSet axes, size_t from, size_t to,
                llvm::ArrayRef<AxisSet> axesWith) const {
    if (from == to) return false;
    if (components_[to].isSplit())
      return mayBeMinorMost(axes, axesWith[to] | axes);
    if (!components_[to].isPartial()) return true;
    // A tensor has terms of one reduction only.
    for (size_t other = 0; other < components_.size(); ++other)
      if (other != to && components_[other].isPartial() &&
          (other == from || axesWith[other] != 0))
        return false;
    return true;
  }

  bool areMinorMostOfTheirClass(AxisSet some, AxisSet all) const {
    for (size_t axis = 1; axis < weights_.size(); ++axis)
      if (alike_->isLikePrevious(axis) && (some >> (axis - 1) & 1) &&
          (all >> axis & 1) && !(some >> axis & 1))
        return false;
    return true;
  }

  /// Whether of `all`, which contains `some`, those in `some` are the
  /// minor-most; or could be, were axes that are alike named otherwise.
  bool mayBeMinorMost(AxisSet some, AxisSet all) const {
    if (!alike_) return areMinorMost(some, all);
    AxisSet others = all & ~some;
    if (others == 0) return true;
    return alike_->classes()[llvm::bit_width(others) - 1] <=
           alike_->classes()[llvm::countr_zero(some)];
  }

  Edge edge(int64_t node, AxisSet axes, size_t from, size_t to) {
    Edge edge;
    edge.next = node;
    for (int64_t axis : listOf(axes))
      edge.next += weights_[axis] *
                   (static_cast<int64_t>(to) - static_cast<int64_t>(from));
    if (alike_) edge.next = withoutNames(edge.next);
    edge.axes = axes;
    edge.from = from;
    edge.to = to;
    edge.seconds =
        stepSeconds(stepKindOf(components_[from], components_[to]),
                    listOf(axes), bytesOf(node), bytesOf(edge.next), mesh_);
    return edge;
  }

  Placement components_;
  llvm::SmallVector<int64_t, 4> shape_;
  int64_t elementBytes_;
  const Mesh& mesh_;
  const AlikeAxes* alike_;
  AxisSet steppable_ = 0;  // the axes of more than one device
  llvm::SmallVector<int64_t, 4> weights_;
  std::vector<int64_t> bytes_;  // largest local bytes, once asked for
  std::vector<std::vector<Edge>> edges_;
  std::vector<Edge> passing_;
};

/// Dijkstra's algorithm over the placements of one tensor, from one of them.
class TransitionTable::Search {
 public:
  Search(Graph& graph, llvm::ArrayRef<Component> from)
      : graph_(graph), nodes_(graph.numNodes()), source_(graph.nodeOf(from)) {
    nodes_[source_].price = {0, 0};
    queue_.push({{0, 0}, source_});
  }

  /// The cheapest way to `to`. What was searched for others is not searched
  /// again.
  Transition pathTo(llvm::ArrayRef<Component> to) {
    Transition transition;
    for (const Node* node : nodesTo(to)) {
      transition.steps.push_back(graph_.stepOf(node->step));
      transition.seconds += node->step.seconds;
    }
    return transition;
  }

  double secondsTo(llvm::ArrayRef<Component> to) {
    double seconds = 0;
    for (const Node* node : nodesTo(to)) seconds += node->step.seconds;
    return seconds;
  }

 private:
  using Edge = Graph::Edge;

  struct Node {
    Price price;
    int64_t previous = -1;
    Edge step;  // that leads here
    bool isDone = false;
  };

  /// The nodes after the source on the cheapest way to `to`.
  llvm::SmallVector<const Node*, 4> nodesTo(llvm::ArrayRef<Component> to) {
    int64_t target = graph_.nodeOf(to);
    while (!nodes_[target].isDone) {
      assert(!queue_.empty() &&
             "every placement leads to Broadcast and on to any other");
      auto [price, node] = queue_.top();
      queue_.pop();
      if (!(price == nodes_[node].price)) continue;  // superseded
      nodes_[node].isDone = true;
      for (const Edge& edge : graph_.edgesFrom(node)) offer(node, edge);
    }
    llvm::SmallVector<const Node*, 4> way;
    for (int64_t node = target; node != source_; node = nodes_[node].previous)
      way.push_back(&nodes_[node]);
    std::reverse(way.begin(), way.end());
    return way;
  }

  void offer(int64_t node, const Edge& edge) {
    Price price = nodes_[node].price;
    price.picoseconds += std::llround(edge.seconds * 1e12);
    price.steps += 1;
    Node& next = nodes_[edge.next];
    if (!(price < next.price)) return;
    next.price = price;
    next.previous = node;
    next.step = edge;
    queue_.push({price, edge.next});
  }

  Graph& graph_;
  std::vector<Node> nodes_;
  int64_t source_;

  struct QueueEntry {
    Price price;
    int64_t node;
    friend bool operator>(const QueueEntry& a, const QueueEntry& b) {
      return std::tie(b.price, b.node) < std::tie(a.price, a.node);
    }
  };
  std::priority_queue<QueueEntry, std::vector<QueueEntry>, std::greater<>>
      queue_;
};

TransitionTable::TransitionTable(Mesh mesh) : mesh_(std::move(mesh)) {}
TransitionTable::TransitionTable(Mesh mesh, AlikeAxes alike)
    : mesh_(std::move(mesh)), alike_(std::move(alike)) {}
TransitionTable::~TransitionTable() = default;

TransitionTable& TransitionTable::bounds() {
  if (!bounds_) bounds_.reset(new TransitionTable(mesh_, AlikeAxes(mesh_)));
  return *bounds_;
}

bool TransitionTable::Key::operator==(const Key& other) const {
  return from == other.from && to == other.to && shape == other.shape &&
         elementBytes == other.elementBytes;
}

size_t TransitionTable::KeyHash::operator()(const Key& key) const {
  return llvm::hash_combine(
      llvm::hash_combine_range(key.from), llvm::hash_combine_range(key.to),
      llvm::hash_combine_range(key.shape), key.elementBytes);
}

TransitionTable::Search& TransitionTable::searchFrom(
    llvm::ArrayRef<Component> source, llvm::ArrayRef<Component> target,
    llvm::ArrayRef<int64_t> shape, int64_t elementBytes) {
  Placement components = componentsBetween(source, target, shape.size());
  std::unique_ptr<Search>& search = searches_[{
      Placement(source), components, llvm::to_vector<4>(shape), elementBytes}];
  if (search) return *search;
  std::unique_ptr<Graph>& graph =
      graphs_[{{}, components, llvm::to_vector<4>(shape), elementBytes}];
  if (!graph)
    graph = std::make_unique<Graph>(components, shape, elementBytes, mesh_,
                                    alike_ ? &*alike_ : nullptr);
  search = std::make_unique<Search>(*graph, source);
  return *search;
}

const Transition& TransitionTable::path(llvm::ArrayRef<Component> from,
                                        llvm::ArrayRef<Component> to,
                                        llvm::ArrayRef<int64_t> shape,
                                        int64_t elementBytes) {
  assert(!alike_ && "there are no paths without names");
  Key key{Placement(from), Placement(to), llvm::to_vector<4>(shape),
          elementBytes};
  auto [entry, isNew] = transitions_.try_emplace(std::move(key));
  Transition& transition = entry->second;
  Placement source = withoutIdleAxes(from, mesh_);
  Placement target = withoutIdleAxes(to, mesh_);
  if (!isNew || source == target) return transition;

  transition = searchFrom(source, target, shape, elementBytes).pathTo(target);
  transition.steps.back().result = Placement(to);
  return transition;
}

double TransitionTable::cost(llvm::ArrayRef<Component> from,
                             llvm::ArrayRef<Component> to,
                             llvm::ArrayRef<int64_t> shape,
                             int64_t elementBytes) {
  Placement source = withoutIdleAxes(from, mesh_);
  Placement target = withoutIdleAxes(to, mesh_);
  if (source == target) return 0;
  return searchFrom(source, target, shape, elementBytes).secondsTo(target);
}

Transition cheapestTransition(llvm::ArrayRef<Component> from,
                              llvm::ArrayRef<Component> to,
                              llvm::ArrayRef<int64_t> shape,
                              int64_t elementBytes, const Mesh& mesh) {
  return TransitionTable(mesh).path(from, to, shape, elementBytes);
}

}  // namespace sbp
