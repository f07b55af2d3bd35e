#include "passes/boxing/Transitions.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "passes/boxing/PlacementGraph.h"

namespace sbp {
namespace {

/// The price of a path: picoseconds first, then number of steps. Picoseconds
/// are whole numbers, so the order in which they are added does not matter.
/// This is exact up to two hours. Longer times are rounded, whereas an integer
/// would overflow.
struct Price {
  double picoseconds = std::numeric_limits<double>::infinity();
  int32_t steps = 0;

  friend bool operator<(const Price& a, const Price& b) {
    return std::tie(a.picoseconds, a.steps) < std::tie(b.picoseconds, b.steps);
  }
  friend bool operator==(const Price& a, const Price& b) {
    return a.picoseconds == b.picoseconds && a.steps == b.steps;
  }
};

/// Returns the components that a tensor may have on its way from `from` to
/// `to`.
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

/// Returns `placement` with Broadcast on axes of one device, where all
/// components mean the same. Broadcast may stand beside any component. A
/// Partial component may stand only beside Partial components of the same
/// reduction.
Placement withoutIdleAxes(llvm::ArrayRef<Component> placement,
                          const Mesh& mesh) {
  assert(placement.size() == mesh.axes.size() && "one component per mesh axis");
  Placement result(placement);
  for (auto [component, axis] : llvm::zip(result, mesh.axes))
    if (axis.size == 1) component = Component::broadcast();
  return result;
}

}  // namespace

/// Dijkstra's algorithm over the placements of one tensor, from one source.
class TransitionTable::Search {
 public:
  Search(PlacementGraph& graph, llvm::ArrayRef<Component> from)
      : graph_(graph), nodes_(graph.numNodes()), source_(graph.nodeOf(from)) {
    nodes_[source_].price = {0, 0};
    queue_.push({{0, 0}, source_});
  }

  /// Returns the cheapest way to `to`. Reuses the results of earlier calls.
  Transition pathTo(llvm::ArrayRef<Component> to) {
    Transition transition;
    int64_t target = settle(to);
    for (int64_t node = target; node != source_; node = nodes_[node].previous)
      transition.steps.push_back(stepTo(node));
    std::reverse(transition.steps.begin(), transition.steps.end());
    transition.seconds = nodes_[target].seconds;
    return transition;
  }

  double secondsTo(llvm::ArrayRef<Component> to) {
    return nodes_[settle(to)].seconds;
  }

 private:
  using Edge = PlacementGraph::Edge;

  struct Node {
    Price price;
    double seconds = 0;  // the price, not rounded
    int32_t previous = -1;
    bool isDone = false;
  };

  /// Returns the last step on the cheapest way to `node`. Searches the edge
  /// again rather than storing it: there are many nodes, and few paths are
  /// asked for.
  BoxingStep stepTo(int64_t node) {
    llvm::ArrayRef<Edge> edges = graph_.edgesFrom(nodes_[node].previous);
    const Edge* edge = llvm::find_if(
        edges, [&](const Edge& edge) { return edge.next == node; });
    assert(edge != edges.end() && "a node is reached by a step");
    return graph_.stepOf(*edge);
  }

  /// Extends the search until the cheapest way to `to` is known. Returns the
  /// node of `to`.
  int64_t settle(llvm::ArrayRef<Component> to) {
    int64_t target = graph_.nodeOf(to);
    while (!nodes_[target].isDone) {
      assert(!queue_.empty() &&
             "every placement leads to Broadcast and on to any other");
      auto [price, node] = queue_.top();
      queue_.pop();
      // Superseded by a cheaper entry.
      if (!(price == nodes_[node].price)) continue;
      nodes_[node].isDone = true;
      for (const Edge& edge : graph_.edgesFrom(node)) offer(node, edge);
    }
    return target;
  }

  void offer(int64_t node, const Edge& edge) {
    Price price = nodes_[node].price;
    price.picoseconds += std::rint(edge.seconds * 1e12);
    price.steps += 1;
    Node& next = nodes_[edge.next];
    if (!(price < next.price)) return;
    next.price = price;
    next.seconds = nodes_[node].seconds + edge.seconds;
    next.previous = static_cast<int32_t>(node);
    queue_.push({price, edge.next});
  }

  PlacementGraph& graph_;
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
TransitionTable::TransitionTable(Mesh mesh, Bucketing bucketing,
                                 std::optional<AlikeAxes> alike)
    : mesh_(std::move(mesh)), bucketing_(bucketing), alike_(std::move(alike)) {}
TransitionTable::~TransitionTable() = default;

TransitionTable& TransitionTable::bounds() {
  if (!bounds_)
    bounds_.reset(new TransitionTable(mesh_, bucketing_, AlikeAxes(mesh_)));
  return *bounds_;
}

TransitionTable& TransitionTable::of(Bucketing bucketing) {
  if (bucketing == bucketing_) return *this;
  std::unique_ptr<TransitionTable>& other = others_[bucketing];
  if (!other) other.reset(new TransitionTable(mesh_, bucketing, alike_));
  return *other;
}

bool TransitionTable::Key::operator==(const Key& other) const {
  return from == other.from && components == other.components &&
         shape == other.shape && elementBytes == other.elementBytes;
}

size_t TransitionTable::KeyHash::operator()(const Key& key) const {
  return llvm::hash_combine(llvm::hash_combine_range(key.from),
                            llvm::hash_combine_range(key.components),
                            llvm::hash_combine_range(key.shape),
                            key.elementBytes);
}

TransitionTable::Search& TransitionTable::searchFrom(
    llvm::ArrayRef<Component> source, llvm::ArrayRef<Component> target,
    llvm::ArrayRef<int64_t> shape, int64_t elementBytes) {
  Placement components = componentsBetween(source, target, shape.size());
  std::unique_ptr<Search>& search = searches_[{
      Placement(source), components, llvm::to_vector<4>(shape), elementBytes}];
  if (search) return *search;
  std::unique_ptr<PlacementGraph>& graph =
      graphs_[{{}, components, llvm::to_vector<4>(shape), elementBytes}];
  if (!graph)
    graph = std::make_unique<PlacementGraph>(components, shape, elementBytes,
                                             mesh_, bucketing_,
                                             alike_ ? &*alike_ : nullptr);
  search = std::make_unique<Search>(*graph, source);
  return *search;
}

Transition TransitionTable::path(llvm::ArrayRef<Component> from,
                                 llvm::ArrayRef<Component> to,
                                 llvm::ArrayRef<int64_t> shape,
                                 int64_t elementBytes) {
  assert(!alike_ && "there are no paths without names");
  Placement source = withoutIdleAxes(from, mesh_);
  Placement target = withoutIdleAxes(to, mesh_);
  if (source == target) return {};

  Transition transition =
      searchFrom(source, target, shape, elementBytes).pathTo(target);
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
