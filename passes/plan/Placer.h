// Places a program: obeys pins, and lets a strategy choose everything else.
//
// Functions are visited in the order of calls, and ops after the ops that make
// their operands. So when an op is visited, the placements of its operands are
// known. The placements that pins and parameters require of its results are
// known too:
//
//   %y = nn.einsum "bi,ij->bj" %x, %w      given    %x [S(0)], %w [B]
//   %z = sbp.pin %y to [S(1)]              wanted   %y [S(1)]
//
// If an op is pinned to a signature (PinnedSignature.h), it gets that
// signature. For other ops the strategy chooses one of the op's legal
// signatures. Operands in other placements are cast. Any choice gives a correct
// program. Strategies differ in the speed of the program.

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

/// A placement in which a result of an op is needed, no matter which signature
/// the op gets.
struct Requirement {
  Placement placement;
  /// Whether the placement is that of a pin. Otherwise it is that of a
  /// parameter in which the result is stored.
  bool isPin = false;
};

/// An op to be placed, with what is known about its operands and results.
struct OpToPlace {
  DistributedOpInterface op;
  /// Placement of each operand on the op's mesh. An operand on another mesh
  /// counts as Broadcast.
  SmallVector<Placement, 4> operandPlacements;
  /// Required placements of each result.
  SmallVector<SmallVector<Requirement, 1>, 2> requirements;
};

/// Chooses placements where pins leave them open.
class PlacementStrategy {
 public:
  virtual ~PlacementStrategy() = default;

  /// Returns the placement of a parameter, without Partial components.
  virtual Placement placeParameter(nn::ParameterOp parameter) = 0;

  /// Returns the placement of an entry's argument, without Partial components.
  virtual Placement placeInput(mlir::BlockArgument input) = 0;

  /// Returns the placement of an argument of a function that others call.
  /// `given` is the placement in which the first call passes the argument.
  virtual Placement placeArgument(mlir::BlockArgument argument,
                                  ArrayRef<Component> given) = 0;

  /// Returns the placement in which a function returns the value `returned`;
  /// nullopt if it keeps the placement in which it was made.
  virtual std::optional<Placement> placeReturned(mlir::OpOperand& returned) = 0;

  /// Returns the signature of the op, one that `forEachSignature` visits on
  /// `mesh`. Is not called for ops that are pinned to a signature.
  virtual MeshSignature choose(const OpToPlace& op, const Mesh& mesh) = 0;
};

/// Places every tensor of `module` on the mesh that `meshes` assigns to it.
/// `module` must have no placements yet. Erases functions that no entry
/// reaches. Fails with a diagnostic if verifyPlaceable() (Placeable.h) does.
LogicalResult placeModule(ModuleOp module, const ProgramMeshes& meshes,
                          PlacementStrategy& strategy);

}  // namespace sbp

#endif  // PASSES_PLAN_PLACER_H_
