// The graph of all placements of one tensor and the priced steps between them.
//
// A node is a placement, an edge a BoxingStep. There is a node for each way to
// choose a component for every axis of more than one device: 15,625 nodes for
// five components on six axes. With AlikeAxes, a node stands for a class of
// placements, which differ only by an exchange of axes that are alike. An edge
// is then a step from any placement of a class to any placement of another
// class. If all six axes are alike, this graph has 210 nodes.

#ifndef PASSES_BOXING_PLACEMENTGRAPH_H_
#define PASSES_BOXING_PLACEMENTGRAPH_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "passes/boxing/AlikeAxes.h"
#include "passes/boxing/BoxingStep.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// A set of mesh axes: bit i is axis i.
using AxisSet = uint32_t;

/// The graph of one tensor. Not thread-safe: bytes and edges are computed when
/// they are first used.
class PlacementGraph {
 public:
  struct Edge {
    double seconds = 0;
    int32_t next = 0;          // node
    AxisSet axes = 0;          // axes that the step changes
    uint8_t from = 0, to = 0;  // indices into the graph's components
  };

  /// Builds the graph of a tensor. On an axis of several devices the tensor may
  /// have any of `components`, which are all different and start with
  /// Broadcast; on an axis of one device it is always Broadcast. `bucketing`
  /// says whether the tensor moves alone or in a bucket. If `alike` is not
  /// null, nodes are classes of placements. `alike` and `mesh` must outlive the
  /// graph.
  PlacementGraph(llvm::ArrayRef<Component> components,
                 llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                 const Mesh& mesh, Bucketing bucketing, const AlikeAxes* alike);

  size_t numNodes() const { return codes_.size(); }

  /// Returns the node of `placement`. The components of `placement` must be
  /// among the graph's components, and Broadcast on axes of one device.
  int64_t nodeOf(llvm::ArrayRef<Component> placement) const;
  Placement placementOf(int64_t node) const;

  /// Returns the edges from `node`. The result is valid until the next call.
  llvm::ArrayRef<Edge> edgesFrom(int64_t node);

  BoxingStep stepOf(const Edge& edge) const;

 private:
  /// A placement as a number: digit i is the index of axis i's component. Axes
  /// of one device have no digit.
  using Code = int64_t;

  int64_t digit(Code code, size_t axis) const {
    if (!(steppable_ >> axis & 1)) return 0;
    return code / weights_[axis] % static_cast<int64_t>(components_.size());
  }
  /// Returns the code that stands for the class of `code`: digits of axes that
  /// are alike are sorted.
  Code representativeOf(Code code) const;

  int64_t bytesOf(int64_t node);
  void findEdges(int64_t node, std::vector<Edge>& edges);
  Edge edge(int64_t node, AxisSet axes, size_t from, size_t to);
  /// Returns the bytes of a full bucket in a step of `kind` over `axes`.
  /// Returns 0 if the step is local or the tensor moves alone.
  double fullBucket(StepKind kind, AxisSet axes);

  /// Whether a step may change `axes` from component `from` to any other
  /// component. `all` has every axis with the component `from`, `axes`
  /// included.
  bool mayLeave(AxisSet axes, AxisSet all, Component from) const;
  /// Whether a step may change `axes` from component `from` to component `to`
  /// (indices). `axesWith` has, for each component, the axes with that
  /// component before the step.
  bool mayEnter(AxisSet axes, size_t from, size_t to,
                llvm::ArrayRef<AxisSet> axesWith) const;
  /// Whether `some`, a subset of `all`, has the minor-most axes of `all` in
  /// each class of axes that are alike.
  bool areMinorMostOfTheirClass(AxisSet some, AxisSet all) const;
  /// Whether the axes `some`, a subset of `all`, are the minor-most axes of
  /// `all`, or become so by an exchange of axes that are alike.
  bool mayBeMinorMost(AxisSet some, AxisSet all) const;

  Placement components_;
  llvm::SmallVector<int64_t, 4> shape_;
  int64_t elementBytes_;
  const Mesh& mesh_;
  Bucketing bucketing_;
  const AlikeAxes* alike_;
  AxisSet steppable_ = 0;                  // axes of more than one device
  llvm::SmallVector<int64_t, 4> weights_;  // value of digit i of a code
  std::vector<Code> codes_;                // by node
  std::vector<int32_t> nodes_;  // by code; meaningful for representatives
  /// Largest local bytes by node; -1 before first use.
  std::vector<int64_t> bytes_;
  std::vector<std::vector<Edge>> edges_;  // by node; empty if not kept
  std::vector<Edge> lastEdges_;  // of the last node, if edges are not kept
  std::map<std::pair<StepKind, AxisSet>, double> fullBuckets_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_PLACEMENTGRAPH_H_
