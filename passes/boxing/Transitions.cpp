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

/// Dijkstra's algorithm over the placements of one tensor, from one of them. A
/// node is a number whose digit i is the index of axis i's component in
/// `components_`.
class TransitionTable::Search {
 public:
  Search(llvm::ArrayRef<Component> from, llvm::ArrayRef<Component> components,
         llvm::ArrayRef<int64_t> shape, int64_t elementBytes, const Mesh& mesh)
      : components_(components),
        shape_(shape),
        elementBytes_(elementBytes),
        mesh_(mesh) {
    assert(mesh.axes.size() < 32 && "a set of axes is 32 bits");
    size_t numNodes = 1;
    for (size_t axis = 0; axis < mesh.axes.size(); ++axis) {
      weights_.push_back(numNodes);
      numNodes *= components.size();
      if (mesh.axes[axis].size > 1) steppable_ |= AxisSet{1} << axis;
    }
    nodes_.resize(numNodes);
    source_ = nodeOf(from);
    nodes_[source_].price = {0, 0};
    queue_.push({{0, 0}, source_});
  }

  /// The cheapest way to `to`. What was searched for others is not searched
  /// again.
  Transition pathTo(llvm::ArrayRef<Component> to) {
    int64_t target = nodeOf(to);
    while (!nodes_[target].isDone) {
      assert(!queue_.empty() &&
             "every placement leads to Broadcast and on to any other");
      auto [price, node] = queue_.top();
      queue_.pop();
      if (!(price == nodes_[node].price)) continue;  // superseded
      nodes_[node].isDone = true;
      expand(node);
    }
    return pathTo(target);
  }

 private:
  struct Node {
    Price price;
    int64_t previous = -1;
    AxisSet axes = 0;  // of the step that leads here
    bool isDone = false;
    int64_t bytes = -1;  // largest local bytes, once asked for
  };

  int64_t nodeOf(llvm::ArrayRef<Component> placement) const {
    int64_t node = 0;
    for (auto [axis, component] : llvm::enumerate(placement))
      node += weights_[axis] *
              (llvm::find(components_, component) - components_.begin());
    return node;
  }

  int64_t digit(int64_t node, size_t axis) const {
    return node / weights_[axis] % static_cast<int64_t>(components_.size());
  }

  Placement placementOf(int64_t node) const {
    Placement placement;
    for (size_t axis = 0; axis < weights_.size(); ++axis)
      placement.push_back(components_[digit(node, axis)]);
    return placement;
  }

  int64_t bytesOf(int64_t node) {
    int64_t& bytes = nodes_[node].bytes;
    if (bytes < 0)
      bytes =
          largestLocalBytes(shape_, elementBytes_, placementOf(node), mesh_);
    return bytes;
  }

  static llvm::SmallVector<int64_t, 3> listOf(AxisSet set) {
    llvm::SmallVector<int64_t, 3> axes;
    for (; set != 0; set &= set - 1) axes.push_back(llvm::countr_zero(set));
    return axes;
  }

  double secondsOf(int64_t before, int64_t after, AxisSet axes, Component from,
                   Component to) {
    return stepSeconds(stepKindOf(from, to), listOf(axes), bytesOf(before),
                       bytesOf(after), mesh_);
  }

  /// Offers all steps from `node` to their results.
  void expand(int64_t node) {
    llvm::SmallVector<AxisSet, 8> axesWith(components_.size());
    for (size_t axis = 0; axis < weights_.size(); ++axis)
      if (steppable_ >> axis & 1)
        axesWith[digit(node, axis)] |= AxisSet{1} << axis;

    for (size_t from = 0; from < components_.size(); ++from) {
      AxisSet all = axesWith[from];
      // All subsets of `all` but the empty one.
      for (AxisSet axes = all; axes != 0; axes = (axes - 1) & all) {
        if (components_[from].isSplit() && !areMinorMost(axes, all)) continue;
        for (size_t to = 0; to < components_.size(); ++to)
          if (mayEnter(axes, from, to, axesWith)) offer(node, axes, from, to);
      }
    }
  }

  bool mayEnter(AxisSet axes, size_t from, size_t to,
                llvm::ArrayRef<AxisSet> axesWith) const {
    if (from == to) return false;
    if (components_[to].isSplit())
      return areMinorMost(axes, axesWith[to] | axes);
    if (!components_[to].isPartial()) return true;
    // A tensor has terms of one reduction only.
    for (size_t other = 0; other < components_.size(); ++other)
      if (other != to && components_[other].isPartial() &&
          (other == from || axesWith[other] != 0))
        return false;
    return true;
  }

  void offer(int64_t node, AxisSet axes, size_t from, size_t to) {
    int64_t next = node;
    for (int64_t axis : listOf(axes))
      next += weights_[axis] *
              (static_cast<int64_t>(to) - static_cast<int64_t>(from));
    double seconds =
        secondsOf(node, next, axes, components_[from], components_[to]);
    Price price = nodes_[node].price;
    price.picoseconds += std::llround(seconds * 1e12);
    price.steps += 1;
    if (!(price < nodes_[next].price)) return;
    nodes_[next].price = price;
    nodes_[next].previous = node;
    nodes_[next].axes = axes;
    queue_.push({price, next});
  }

  Transition pathTo(int64_t target) {
    Transition transition;
    for (int64_t node = target; node != source_; node = nodes_[node].previous) {
      Step step;
      step.axes = listOf(nodes_[node].axes);
      step.from = components_[digit(nodes_[node].previous, step.axes.front())];
      step.to = components_[digit(node, step.axes.front())];
      step.result = placementOf(node);
      transition.steps.push_back(std::move(step));
    }
    std::reverse(transition.steps.begin(), transition.steps.end());

    int64_t node = source_;
    for (const Step& step : transition.steps) {
      int64_t next = nodeOf(step.result);
      transition.seconds += stepSeconds(step.kind(), step.axes, bytesOf(node),
                                        bytesOf(next), mesh_);
      node = next;
    }
    return transition;
  }

  Placement components_;
  llvm::SmallVector<int64_t, 4> shape_;
  int64_t elementBytes_;
  const Mesh& mesh_;
  int64_t source_ = 0;
  AxisSet steppable_ = 0;  // the axes of more than one device
  llvm::SmallVector<int64_t, 4> weights_;
  std::vector<Node> nodes_;

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
TransitionTable::~TransitionTable() = default;

bool TransitionTable::Key::operator==(const Key& other) const {
  return from == other.from && to == other.to && shape == other.shape &&
         elementBytes == other.elementBytes;
}

size_t TransitionTable::KeyHash::operator()(const Key& key) const {
  return llvm::hash_combine(
      llvm::hash_combine_range(key.from), llvm::hash_combine_range(key.to),
      llvm::hash_combine_range(key.shape), key.elementBytes);
}

const Transition& TransitionTable::path(llvm::ArrayRef<Component> from,
                                        llvm::ArrayRef<Component> to,
                                        llvm::ArrayRef<int64_t> shape,
                                        int64_t elementBytes) {
  Key key{Placement(from), Placement(to), llvm::to_vector<4>(shape),
          elementBytes};
  auto [entry, isNew] = transitions_.try_emplace(std::move(key));
  Transition& transition = entry->second;
  Placement source = withoutIdleAxes(from, mesh_);
  Placement target = withoutIdleAxes(to, mesh_);
  if (!isNew || source == target) return transition;

  Placement components = componentsBetween(source, target, shape.size());
  std::unique_ptr<Search>& search =
      searches_[{source, components, llvm::to_vector<4>(shape), elementBytes}];
  if (!search)
    search = std::make_unique<Search>(source, components, shape, elementBytes,
                                      mesh_);
  transition = search->pathTo(target);
  transition.steps.back().result = Placement(to);
  return transition;
}

Transition cheapestTransition(llvm::ArrayRef<Component> from,
                              llvm::ArrayRef<Component> to,
                              llvm::ArrayRef<int64_t> shape,
                              int64_t elementBytes, const Mesh& mesh) {
  return TransitionTable(mesh).path(from, to, shape, elementBytes);
}

}  // namespace sbp
