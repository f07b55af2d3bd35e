// Transitions of tensors that may lie on several groups of ranks.
//
// Within a group a tensor goes by the group's own table (Transitions.h). From
// one group to another it is brought to a placement without terms, moved, and
// boxed again where it has arrived, in the way that takes least in all:
//
//   on @front [P(sum)]     reduce-scatter to [S(0)]
//   @front to @back        each rank of @back fetches its [S(0)] of four
//   on @back  [B]          all-gather
//
// To move, each rank of the target fetches what it does not have itself, over
// the links that join the two groups; ranks of the source that hold the same
// share the work.

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
  Placement departure;  // on the source, to which it is boxed there
  Placement arrival;    // on the target, from which it is boxed there
  double seconds = 0;   // of all three steps
};

/// What goes from one group to another, as it lies there.
struct Move {
  int64_t level = 0;     // of the machine, whose links it takes
  double bytes = 0;      // of all ranks together
  double mostBytes = 0;  // of the rank that fetches or sends most
  double seconds = 0;
};

/// A step of a boxing, and the bytes of its tensor before and after on the rank
/// that has most.
struct SizedStep {
  Step step;
  int64_t bytesBefore = 0, bytesAfter = 0;

  int64_t mostBytes() const { return std::max(bytesBefore, bytesAfter); }
};

class GroupTransitions {
 public:
  using Name = mlir::FlatSymbolRefAttr;

  explicit GroupTransitions(const PlacedMeshes& meshes);

  /// The table of `mesh`, one of those.
  TransitionTable& table(Name mesh) const {
    return *tables_.at(mesh.getValue());
  }

  /// The cheapest way between two meshes that are not one; the answer is a
  /// function of the arguments alone.
  Crossing crossing(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
                    int64_t elementBytes) const;

  /// Seconds of the cheapest way, on one mesh, for a tensor that travels so, or
  /// between two, where each travels alone.
  double cost(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
              int64_t elementBytes, Travel travel = Travel::alone()) const;

  /// How `box`, which stays on its mesh, travels. Its function does not change
  /// as long as this is asked.
  Travel travelOf(BoxOp box) const;

  /// The steps of `box`, which stays on its mesh.
  SmallVector<SizedStep, 3> steps(BoxOp box) const;

  /// A move from a placement on one group to one on another.
  Move move(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape,
            int64_t elementBytes) const {
    return move(from.getMesh(), from.getComponents(), to.getMesh(),
                to.getComponents(), shape, elementBytes);
  }

  /// Whether each rank of the target of a crossing has itself what it is to
  /// have, and as it is to have it: then nothing is to be done.
  bool isAtHand(NdSbpAttr from, NdSbpAttr to, ArrayRef<int64_t> shape) const;

 private:
  bool isAtHand(Name from, ArrayRef<Component> departure, Name to,
                ArrayRef<Component> arrival, ArrayRef<int64_t> shape) const;
  Move move(Name from, ArrayRef<Component> departure, Name to,
            ArrayRef<Component> arrival, ArrayRef<int64_t> shape,
            int64_t elementBytes) const;
  const MeshAxis& linkBetween(Name from, Name to) const;

  Mesh machine_;  // its axes are levels
  std::map<StringRef, std::unique_ptr<TransitionTable>> tables_;
  mutable std::map<Operation*, Travels> travels_;  // by function
};

}  // namespace sbp

#endif  // PASSES_BOXING_GROUPTRANSITIONS_H_
