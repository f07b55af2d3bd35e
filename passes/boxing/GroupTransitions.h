// Transitions of tensors that may lie on several groups of ranks.
//
// Within a group a tensor moves by the group's own table (Transitions.h). To
// cross from one group to another, it is boxed to a placement without Partial
// components, moved, and boxed again on the target. Of all such ways the one
// with the lowest total cost is taken:
//
//   on @front [P(sum)]     reduce-scatter to [S(0)]
//   @front to @back        each rank of @back fetches its [S(0)] of four
//   on @back  [B]          all-gather
//
// In a move, each rank of the target fetches the elements that it does not have
// itself, over the links that join the two groups. Ranks of the source that
// hold the same elements share the work of sending them.

#ifndef PASSES_BOXING_GROUPTRANSITIONS_H_
#define PASSES_BOXING_GROUPTRANSITIONS_H_

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "passes/boxing/Buckets.h"
#include "passes/boxing/Transitions.h"
#include "passes/module/PlacedTypes.h"

namespace sbp {

/// A way from one group to another.
struct Crossing {
  Placement departure;  // on the source group, before the move
  Placement arrival;    // on the target group, after the move
  double seconds = 0;   // of both boxings and the move
};

/// The move of a tensor from a placement on one group to one on another.
struct Move {
  int64_t level = 0;     // machine level whose links are used
  double bytes = 0;      // sent by all ranks together
  double mostBytes = 0;  // of the rank that fetches or sends most
  double seconds = 0;
};

/// A step of a boxing, with the bytes of the tensor before and after the step,
/// each on the rank that holds most of it.
struct SizedStep {
  BoxingStep step;
  int64_t bytesBefore = 0, bytesAfter = 0;

  int64_t mostBytes() const { return std::max(bytesBefore, bytesAfter); }
};

/// The transition tables of all meshes of a program, and the moves between
/// them. Not safe for use by several threads at a time.
class GroupTransitions {
 public:
  using Name = mlir::FlatSymbolRefAttr;

  explicit GroupTransitions(const PlacedMeshes& meshes);

  /// Returns the table of the group `mesh`.
  TransitionTable& table(Name mesh) const {
    return *tables_.at(mesh.getValue());
  }

  /// Returns the cheapest way between two different meshes. The result depends
  /// on the arguments alone.
  Crossing crossing(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
                    int64_t elementBytes) const;

  /// Returns the seconds of the cheapest way from `from` to `to`. `travel`
  /// matters only if both are on one mesh; a tensor that crosses to another
  /// mesh travels alone.
  double cost(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
              int64_t elementBytes, Travel travel = Travel::alone()) const;

  /// Returns how `box`, which does not change the mesh, travels. The answer is
  /// cached per function, so the function must not change between calls.
  Travel travelOf(BoxOp box) const;

  /// Returns the steps of `box`, which does not change the mesh.
  SmallVector<SizedStep, 3> steps(BoxOp box) const;

  /// Returns the move from a placement on one group to a placement on another.
  Move move(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
            int64_t elementBytes) const {
    return move(from.getMesh(), from.getComponents(), to.getMesh(),
                to.getComponents(), shape, elementBytes);
  }

  /// Whether every rank of the target already holds exactly the part that it is
  /// to have, so that nothing needs to be moved.
  bool needsNoMove(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape) const;

 private:
  bool needsNoMove(Name from, ArrayRef<Component> departure, Name to,
                   ArrayRef<Component> arrival, ArrayRef<int64_t> shape) const;
  Move move(Name from, ArrayRef<Component> departure, Name to,
            ArrayRef<Component> arrival, ArrayRef<int64_t> shape,
            int64_t elementBytes) const;
  /// Returns the links of the outermost level at which ranks of the two groups
  /// differ.
  const MeshAxis& linkBetween(Name from, Name to) const;

  Mesh machine_;  // its axes are the levels
  std::map<StringRef, std::unique_ptr<TransitionTable>> tables_;
  mutable std::map<Operation*, Travels> travels_;  // by function
};

}  // namespace sbp

#endif  // PASSES_BOXING_GROUPTRANSITIONS_H_
