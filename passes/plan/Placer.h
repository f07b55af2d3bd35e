// Placing a program: pins are obeyed, and what they leave open is chosen.
//
// The functions are walked along their calls, each op after those that it takes
// its operands from. So when an op is reached, it is known how its operands
// lie, and of its results what pins and parameters ask of them:
//
//   %y = nn.einsum "bi,ij->bj" %x, %w      given    %x [S(0)], %w [B]
//   %z = sbp.pin %y to [S(1)]              wanted   %y [S(1)]
//
// A strategy then names one of the op's legal signatures. An operand that lies
// otherwise is cast. Any choice gives a right program; strategies differ in how
// fast it is.

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

/// A placement that a result is to be brought to, whatever its op does.
struct Requirement {
  Placement placement;
  /// Because the user pinned the result so, and not only because it is stored
  /// in a parameter that is kept so.
  bool isPin = false;
};

/// An op, and what is known of its surroundings when it is placed.
struct OpToPlace {
  DistributedOpInterface op;
  /// Per operand, how it lies.
  SmallVector<Placement, 4> given;
  /// Per result, what is wanted of it in any case.
  SmallVector<SmallVector<Requirement, 1>, 2> wanted;
};

/// Decides what pins leave open.
class PlacementStrategy {
 public:
  virtual ~PlacementStrategy() = default;

  /// How a parameter is kept: Split or Broadcast.
  virtual Placement placeParameter(nn::ParameterOp parameter) = 0;

  /// How an entry is given an argument: Split or Broadcast.
  virtual Placement placeInput(mlir::BlockArgument input) = 0;

  /// How a function takes an argument that its first call has in the placement
  /// `given`.
  virtual Placement placeArgument(mlir::BlockArgument argument,
                                  ArrayRef<Component> given) = 0;

  /// How a function gives a result back, if not as it was made.
  virtual std::optional<Placement> placeReturned(mlir::OpOperand& returned) = 0;

  /// The signature in which the op shall run: one of those that
  /// `forEachSignature` visits on `mesh`.
  virtual MeshSignature choose(const OpToPlace& op, const Mesh& mesh) = 0;
};

/// Gives every tensor of `module`, which has no placements yet, one on the mesh
/// that `meshes` says; functions that no entry calls are erased. Fails with a
/// diagnostic at a pin that does not fit its tensor or the mesh, at an op that
/// cannot be distributed, and at recursion.
LogicalResult placeModule(ModuleOp module, const ProgramMeshes& meshes,
                          PlacementStrategy& strategy);

}  // namespace sbp

#endif  // PASSES_PLAN_PLACER_H_
