// Transitions of tensors within a group of ranks, or from one group to another.
//
// A group is a mesh of some or all ranks; each placement names the group on
// which it lies. Within a group, a tensor is boxed: converted to another
// placement by collectives (sbp.box), as the group's TransitionTable says. To
// cross from one group to another, a tensor is boxed to a placement without
// Partial components, moved, and boxed again on the target group:
//
//   on @front [P(sum)]     reduce-scatter to [S(0)]
//   @front to @back        each of the 4 ranks of @back fetches its quarter
//   on @back  [B]          all-gather
//
// Several placements before and after the move are tried, and the cheapest way
// is taken. The boxing before the move changes only Partial components; the
// boxing after it may change any component. Usually all placements that obey
// these rules are tried. If there are more than 128 of them, only these are
// tried: the target placement, and the placements with one and the same
// component on all axes that may change.
//
// In a move, each rank of the target group fetches the elements that it lacks.
// The price assumes that all ranks of the source group send equally much, over
// the links of the outermost level that a message crosses. If both groups have
// the same axes, a rank fetches from the rank at its own position, unless the
// source splits the tensor along an axis otherwise than the target:
//
//   groups [0, 1, 4, 5] and [2, 3, 6, 7] of 2 nodes x 4 devices, each 2 x 2
//   [S(0), B] to [S(0), S(1)]   2 fetches from 0, 6 from 4, within their nodes
//   [S(0), B] to [B, B]         2 fetches from 0 and from 4: between nodes

#ifndef PASSES_BOXING_GROUPTRANSITIONS_H_
#define PASSES_BOXING_GROUPTRANSITIONS_H_

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "passes/boxing/FunctionBucketing.h"
#include "passes/boxing/Transitions.h"
#include "passes/module/PlacedTypes.h"

namespace sbp {

/// A way from one group to another: a boxing, a move, and another boxing.
struct Crossing {
  Placement departure;  // on the source group, before the move
  Placement arrival;    // on the target group, after the move
  double seconds = 0;   // of both boxings and the move
};

/// The move of a tensor from a placement on one group to a placement on another
/// group.
struct Move {
  int64_t level = 0;  // machine level whose links are used
  double bytes = 0;   // sent by all ranks of the source together
  /// Bytes from which `seconds` follows: those that the busiest target rank
  /// fetches, or those that a source rank sends on average, whichever are more.
  double busiestRankBytes = 0;
  double seconds = 0;
};

/// A step of a boxing. The sizes are the largest local sizes of the tensor,
/// over all ranks, before and after the step.
struct SizedStep {
  BoxingStep step;
  int64_t bytesBefore = 0, bytesAfter = 0;

  int64_t largestBytes() const { return std::max(bytesBefore, bytesAfter); }
};

/// The transition tables of all groups of a program, and the prices of moves
/// between groups. Not thread-safe.
class GroupTransitions {
 public:
  using Name = mlir::FlatSymbolRefAttr;

  explicit GroupTransitions(const PlacedMeshes& meshes);

  /// Returns the table of the group `mesh`.
  TransitionTable& table(Name mesh) const {
    return *tables_.at(mesh.getValue());
  }

  /// Returns the cheapest way, among those that are tried, from the group of
  /// `from` to the group of `to`. The two groups must be different. The result
  /// depends on the arguments alone.
  Crossing crossing(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
                    int64_t elementBytes) const;

  /// Returns the seconds of the cheapest way from `from` to `to`, on the same
  /// group or on different groups. Within a group, `bucketing` says whether the
  /// tensor moves alone or in a bucket (Collectives.h). Between groups the
  /// tensor moves alone, and `bucketing` is ignored.
  double seconds(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
                 int64_t elementBytes,
                 Bucketing bucketing = Bucketing::alone()) const;

  /// Returns whether the tensor of `box` moves alone or in a bucket. `box` must
  /// stay on its group. The first call analyses the function that contains
  /// `box`, which must not change afterwards.
  Bucketing bucketingOf(BoxOp box) const;

  /// Returns the steps of `box`, which must stay on its group, in order.
  SmallVector<SizedStep, 3> steps(BoxOp box) const;

  /// Returns the move from the placement `from` on one group to the placement
  /// `to` on another. If needsNoMove(), its bytes and seconds are 0.
  Move move(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
            int64_t elementBytes) const {
    return move(from.getMesh(), from.getComponents(), to.getMesh(),
                to.getComponents(), shape, elementBytes);
  }

  /// Whether each rank of the target group is also in the source group and has,
  /// before the move, exactly the part that it needs after it.
  bool needsNoMove(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape) const;

 private:
  bool needsNoMove(Name from, ArrayRef<Component> departure, Name to,
                   ArrayRef<Component> arrival, ArrayRef<int64_t> shape) const;
  Move move(Name from, ArrayRef<Component> departure, Name to,
            ArrayRef<Component> arrival, ArrayRef<int64_t> shape,
            int64_t elementBytes) const;
  /// Returns the outermost machine level that a message of a move crosses.
  /// Returns the innermost level if there is no such level.
  const MeshAxis& levelCrossed(Name from, ArrayRef<Component> departure,
                               Name to, ArrayRef<Component> arrival) const;
  /// Returns the number of the outermost machine level at which a rank of one
  /// group has another coordinate than the rank of the other group at the same
  /// position; if the groups have other axes, than any rank of either group.
  int64_t levelBetween(Name from, Name to) const;

  Mesh machine_;  // its axes are the levels
  std::map<StringRef, std::unique_ptr<TransitionTable>> tables_;
  mutable std::map<std::pair<StringRef, StringRef>, int64_t> levelsBetween_;
  mutable std::map<Operation*, FunctionBucketing> bucketings_;  // by function
};

}  // namespace sbp

#endif  // PASSES_BOXING_GROUPTRANSITIONS_H_
