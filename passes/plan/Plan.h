// A plan: the placement of every tensor of a program, decided before the
// program is placed.

#ifndef PASSES_PLAN_PLAN_H_
#define PASSES_PLAN_PLAN_H_

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/IRMapping.h"
#include "passes/plan/Placer.h"

namespace sbp {

/// The placements of a plan, by parameter, argument, op and returned operand.
struct Plan {
  llvm::DenseMap<mlir::StringAttr, Placement> parameters;
  llvm::DenseMap<Value, Placement> arguments;
  llvm::DenseMap<Operation*, MeshSignature> ops;
  /// The placement in which a function returns an operand. Has only operands
  /// that are returned in a placement other than the one in which they are
  /// made.
  llvm::DenseMap<mlir::OpOperand*, Placement> returned;
};

/// Returns `plan` for a copy of its program. `copy` maps the program's ops and
/// values to those of the copy.
Plan planOfCopy(const Plan& plan, const mlir::IRMapping& copy);

/// The strategy that places a program by a plan. The plan must be complete for
/// the program, and must outlive this object.
class Planned : public PlacementStrategy {
 public:
  explicit Planned(const Plan& plan) : plan_(plan) {}

  Placement placeParameter(nn::ParameterOp parameter) override;
  Placement placeInput(mlir::BlockArgument input) override;
  Placement placeArgument(mlir::BlockArgument argument,
                          ArrayRef<Component> given) override;
  std::optional<Placement> placeReturned(mlir::OpOperand& returned) override;
  MeshSignature choose(const OpToPlace& op, const Mesh& mesh) override;

 private:
  const Plan& plan_;
};

}  // namespace sbp

#endif  // PASSES_PLAN_PLAN_H_
