// The strategy that leaves every tensor where it is, if possible.

#ifndef PASSES_PLACEMENT_PROPAGATION_H_
#define PASSES_PLACEMENT_PROPAGATION_H_

#include <optional>

#include "passes/boxing/Transitions.h"
#include "passes/boxing/UnreducedGradients.h"
#include "passes/plan/Placer.h"

namespace sbp {

/// Chooses the signature of each op by the following criteria, in this order:
///
///   - results that are pinned Partial are Partial on as many axes as possible:
///     with such a pin, users ask a product to split its contracted loop;
///   - the fewest tensors change their placement: operands, and results once
///     per placement that pins and parameters require of them;
///   - these changes take the fewest seconds;
///   - the busiest device has the fewest iterations;
///   - the signature comes first in the order of forEachSignature.
///
/// An op gets Partial operands only on an axis on which an operand is Partial
/// already. If a gradient must keep its terms
/// (passes/boxing/UnreducedGradients.h), no op adds them up.
///
/// A function takes its arguments in the placements in which its first call
/// passes them. Parameters are Broadcast. Inputs are Broadcast too, unless
/// `splitsInputs` is set. If it is set, an axis of several devices splits
/// dimension 0 of an input, provided that this axis and the axes before it
/// have, together, no more devices than the dimension has elements.
class Propagation : public PlacementStrategy {
 public:
  Propagation(const Mesh& mesh, bool splitsInputs)
      : transitions_(mesh), splitsInputs_(splitsInputs) {}

  Placement placeParameter(nn::ParameterOp parameter) override;
  Placement placeInput(mlir::BlockArgument input) override;
  Placement placeArgument(mlir::BlockArgument argument,
                          ArrayRef<Component> given) override;
  std::optional<Placement> placeReturned(mlir::OpOperand& returned) override;
  MeshSignature choose(const OpToPlace& op, const Mesh& mesh) override;

 private:
  TransitionTable transitions_;
  bool splitsInputs_;
  /// The unreduced gradients of the program; set by the first call of choose().
  std::optional<UnreducedGradients> unreducedGradients_;
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_PROPAGATION_H_
