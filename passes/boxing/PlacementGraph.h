// All steps between the placements of one tensor, with their prices.
//
// A node is a placement, an edge a step (Step.h). There are as many nodes as
// ways to choose a component for every axis of more than one device: with five
// components on six axes 15,625. Where axes that are alike have no names
// (AlikeAxes.h), a node stands for all placements that differ in names only,
// 210 if all six are alike, and an edge is a step that some naming allows.

#ifndef PASSES_BOXING_PLACEMENTGRAPH_H_
#define PASSES_BOXING_PLACEMENTGRAPH_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "passes/boxing/AlikeAxes.h"
#include "passes/boxing/Step.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// A set of mesh axes: bit i is axis i.
using AxisSet = uint32_t;

/// Finds bytes and edges when asked for them, and so is not safe for use by
/// several threads at a time.
class PlacementGraph {
 public:
  struct Edge {
    double seconds = 0;
    int32_t next = 0;  // node
    AxisSet axes = 0;
    uint8_t from = 0, to = 0;  // components
  };

  /// Of a tensor that travels so and may have `components`, all different and
  /// Broadcast first, on its way; on axes of one device it has the first. If
  /// `alike` is not null, up to the names of these axes. It and `mesh` must
  /// outlive the graph.
  PlacementGraph(llvm::ArrayRef<Component> components,
                 llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                 const Mesh& mesh, Travel travel, const AlikeAxes* alike);

  size_t numNodes() const { return codes_.size(); }

  /// The node of `placement`, which has these components only.
  int64_t nodeOf(llvm::ArrayRef<Component> placement) const;
  Placement placementOf(int64_t node) const;

  /// The steps from `node`; good until asked for those of another node.
  llvm::ArrayRef<Edge> edgesFrom(int64_t node);

  Step stepOf(const Edge& edge) const;

 private:
  /// A placement as a number, whose digit i is the index of axis i's component;
  /// axes of one device have none.
  using Code = int64_t;

  int64_t digit(Code code, size_t axis) const {
    if (!(steppable_ >> axis & 1)) return 0;
    return code / weights_[axis] % static_cast<int64_t>(components_.size());
  }
  /// The code that stands for all that differ from `code` in names.
  Code withoutNames(Code code) const;

  int64_t bytesOf(int64_t node);
  void findEdges(int64_t node, std::vector<Edge>& edges);
  Edge edge(int64_t node, AxisSet axes, size_t from, size_t to);
  /// What fills a bucket of steps of `kind` over `axes`; 0 of a local step.
  double fullBucket(StepKind kind, AxisSet axes);

  /// Whether of the axes `all`, which have the component `from`, those in
  /// `axes` may leave it.
  bool mayLeave(AxisSet axes, AxisSet all, Component from) const;
  bool mayEnter(AxisSet axes, size_t from, size_t to,
                llvm::ArrayRef<AxisSet> axesWith) const;
  bool areMinorMostOfTheirClass(AxisSet some, AxisSet all) const;
  /// Whether of `all`, which contains `some`, those in `some` are the
  /// minor-most; or could be, were axes that are alike named otherwise.
  bool mayBeMinorMost(AxisSet some, AxisSet all) const;

  Placement components_;
  llvm::SmallVector<int64_t, 4> shape_;
  int64_t elementBytes_;
  const Mesh& mesh_;
  Travel travel_;
  const AlikeAxes* alike_;
  AxisSet steppable_ = 0;  // the axes of more than one device
  llvm::SmallVector<int64_t, 4> weights_;
  std::vector<Code> codes_;     // of nodes
  std::vector<int32_t> nodes_;  // by code, of those that stand for themselves
  std::vector<int64_t> bytes_;  // largest local bytes, once asked for
  std::vector<std::vector<Edge>> edges_;
  std::vector<Edge> passing_;
  std::map<std::pair<StepKind, AxisSet>, double> fullBuckets_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_PLACEMENTGRAPH_H_
