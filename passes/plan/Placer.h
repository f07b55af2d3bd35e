// Places a program: obeys pins, and lets a strategy choose what they leave
// open.
//
// Functions are visited in the order of calls, and ops after those that make
// their operands. So when an op is visited, the placements of its operands are
// known, as are the placements that pins and parameters require of its results:
//
//   %y = nn.einsum "bi,ij->bj" %x, %w      given    %x [S(0)], %w [B]
//   %z = sbp.pin %y to [S(1)]              wanted   %y [S(1)]
//
// An op that is pinned to a signature (PinnedSignature.h) gets it; for others
// the strategy chooses one of the op's legal signatures. Operands in other
// placements are cast. Any choice gives a correct program; strategies differ in
// its speed.

#ifndef PASSES_PLAN_PLACER_H_
#define PASSES_PLAN_PLACER_H_

#include <optional>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/ProgramMeshes.h"
#include "passes/plan/Signatures.h"

namespace sbp {

/// A placement in which a result of an op is needed, whichever signature the op
/// gets.
struct Requirement {
  Placement placement;
  /// Whether the user pinned the result. Otherwise it is stored in a parameter
  /// that has this placement.
  bool isPin = false;
};

/// An op to be placed, and what is known about its operands and results.
struct OpToPlace {
  DistributedOpInterface op;
  /// Placement of each operand; Broadcast if the operand lies on another mesh
  /// than the op.
  SmallVector<Placement, 4> operandPlacements;
  /// Required placements of each result.
  SmallVector<SmallVector<Requirement, 1>, 2> requirements;
};

/// Chooses the placements that pins leave open.
class PlacementStrategy {
 public:
  virtual ~PlacementStrategy() = default;

  /// Returns the placement of a parameter, without Partial components.
  virtual Placement placeParameter(nn::ParameterOp parameter) = 0;

  /// Returns the placement of an entry's argument, without Partial components.
  virtual Placement placeInput(mlir::BlockArgument input) = 0;

  /// Returns the placement of the argument of a function that others call.
  /// `given` is the placement in which the first call passes it.
  virtual Placement placeArgument(mlir::BlockArgument argument,
                                  ArrayRef<Component> given) = 0;

  /// Returns the placement in which a function returns a result; nullopt to
  /// keep the placement in which the result was made.
  virtual std::optional<Placement> placeReturned(mlir::OpOperand& returned) = 0;

  /// Returns the signature of the op, which is not pinned to one: a signature
  /// that `forEachSignature` visits on `mesh`.
  virtual MeshSignature choose(const OpToPlace& op, const Mesh& mesh) = 0;
};

/// Places every tensor of `module`, which has no placements yet, on the mesh
/// that `meshes` assigns to it. Erases functions that no entry reaches. Fails
/// with a diagnostic if verifyPlaceable() (Placeable.h) does.
LogicalResult placeModule(ModuleOp module, const ProgramMeshes& meshes,
                          PlacementStrategy& strategy);

}  // namespace sbp

#endif  // PASSES_PLAN_PLACER_H_
