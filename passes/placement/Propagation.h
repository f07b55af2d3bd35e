// The strategy of following the tensors: leave everything where it is, if you
// can.

#ifndef PASSES_PLACEMENT_PROPAGATION_H_
#define PASSES_PLACEMENT_PROPAGATION_H_

#include <optional>

#include "passes/boxing/KeptTerms.h"
#include "passes/boxing/Transitions.h"
#include "passes/placement/Placer.h"

namespace sbp {

/// Chooses the signature that leaves terms where a result is pinned Partial,
/// since that is how the user says that a product should split its contracted
/// loop. Among those the one that moves the fewest tensors, counting operands
/// and what is wanted of results; among those the one whose boxings take the
/// fewest seconds; among those the one that leaves the busiest device the least
/// to compute; among those the first. It passes partial operands through an op
/// only where an operand is partial already, and adds no terms up that a tensor
/// keeps (passes/boxing/KeptTerms.h).
///
/// A layer takes its arguments as its first call has them. Parameters are
/// Broadcast. Inputs are too, unless `splitsInputs`: then they are split along
/// dimension 0 by every axis that has an element for each device.
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
  std::optional<KeptTerms> keptTerms_;  // of the program, once it is known
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_PROPAGATION_H_
