// Transitions of tensors within a group of ranks, or from one group to another.
//
// A group is the mesh of a placement. Within a group, a tensor is boxed:
// converted to another placement by collectives (sbp.box), as the group's
// TransitionTable says. To cross from one group to another, a tensor is boxed
// to a placement without Partial components, moved, and boxed again on the
// target group:
//
//   on @front [P(sum)]     reduce-scatter to [S(0)]
//   @front to @back        each of the 4 ranks of @back fetches its quarter
//   on @back  [B]          all-gather
//
// The way with the lowest total price is taken among those that are tried.
// Before the move, only Partial components are changed; after it, any component
// may change. If there are more than 128 such placements before or after the
// move, only those are tried that have the same component on all axes that may
// change.
//
// In a move, each rank of the target group fetches the elements that it does
// not have itself, over the links that join the two groups. The price assumes
// that all ranks of the source group send equally much.

#ifndef PASSES_BOXING_GROUPTRANSITIONS_H_
#define PASSES_BOXING_GROUPTRANSITIONS_H_

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "passes/boxing/FunctionBucketing.h"
#include "passes/boxing/Transitions.h"
#include "passes/module/PlacedTypes.h"

namespace sbp {

/// A way from one group to another.
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
  /// Bytes: the larger of the most that a target rank fetches and the mean that
  /// a source rank sends.
  double busiestRankBytes = 0;
  double seconds = 0;
};

/// A step of a boxing, with the largest local size of the tensor, over all
/// ranks, before and after the step.
struct SizedStep {
  BoxingStep step;
  int64_t bytesBefore = 0, bytesAfter = 0;

  int64_t largestBytes() const { return std::max(bytesBefore, bytesAfter); }
};

/// The transition tables of all groups of a program, and the prices of moves
/// between groups. Not safe for use by several threads at a time.
class GroupTransitions {
 public:
  using Name = mlir::FlatSymbolRefAttr;

  explicit GroupTransitions(const PlacedMeshes& meshes);

  /// Returns the table of the group `mesh`.
  TransitionTable& table(Name mesh) const {
    return *tables_.at(mesh.getValue());
  }

  /// Returns the cheapest way, among those that are tried, from the group of
  /// `from` to the group of `to`, which is another one. The result depends on
  /// the arguments alone.
  Crossing crossing(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
                    int64_t elementBytes) const;

  /// Returns the seconds of the cheapest way from `from` to `to`, on the same
  /// group or on different groups. `bucketing` says whether the tensor moves
  /// alone or in a bucket (Collectives.h); across groups it is ignored, and the
  /// tensor moves alone.
  double seconds(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
                 int64_t elementBytes,
                 Bucketing bucketing = Bucketing::alone()) const;

  /// Returns how the tensor of `box`, which stays on its group, moves: alone or
  /// in a bucket. The function that contains `box` is analysed once; it must
  /// not change afterwards.
  Bucketing bucketingOf(BoxOp box) const;

  /// Returns the steps of `box`, which stays on its group.
  SmallVector<SizedStep, 3> steps(BoxOp box) const;

  /// Returns the move from the placement `from` on one group to the placement
  /// `to` on another. Its bytes and seconds are 0 if needsNoMove().
  Move move(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
            int64_t elementBytes) const {
    return move(from.getMesh(), from.getComponents(), to.getMesh(),
                to.getComponents(), shape, elementBytes);
  }

  /// Whether each rank of the target group is also in the source group, and has
  /// the same part by `from` as by `to`. Then nothing needs to be moved.
  bool needsNoMove(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape) const;

 private:
  bool needsNoMove(Name from, ArrayRef<Component> departure, Name to,
                   ArrayRef<Component> arrival, ArrayRef<int64_t> shape) const;
  Move move(Name from, ArrayRef<Component> departure, Name to,
            ArrayRef<Component> arrival, ArrayRef<int64_t> shape,
            int64_t elementBytes) const;
  /// Returns the outermost machine level on which any two ranks of the two
  /// groups, taken together, have different coordinates; the innermost level if
  /// all are the same.
  const MeshAxis& levelBetween(Name from, Name to) const;

  Mesh machine_;  // its axes are the levels
  std::map<StringRef, std::unique_ptr<TransitionTable>> tables_;
  mutable std::map<Operation*, FunctionBucketing> bucketings_;  // by function
};

}  // namespace sbp

#endif  // PASSES_BOXING_GROUPTRANSITIONS_H_
