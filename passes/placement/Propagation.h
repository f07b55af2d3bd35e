// The strategy that leaves every tensor where it is, if possible.

#ifndef PASSES_PLACEMENT_PROPAGATION_H_
#define PASSES_PLACEMENT_PROPAGATION_H_

#include <optional>

#include "passes/boxing/KeptTerms.h"
#include "passes/boxing/Transitions.h"
#include "passes/plan/Placer.h"

namespace sbp {

/// Chooses the signature of each op by the following criteria, in this order:
///
///   - where a result is pinned Partial, the op leaves it so: this is how users
///     say that a product should split its contracted loop;
///   - the fewest tensors are moved, counting operands and required results;
///   - their boxings take the fewest seconds;
///   - the busiest device has the fewest iterations;
///   - the signature comes first in the order of forEachSignature.
///
/// An op gets Partial operands only on an axis on which an operand is Partial
/// already. Terms that a tensor is to keep are not added up
/// (passes/boxing/KeptTerms.h).
///
/// A function takes its arguments as its first call has them. Parameters are
/// Broadcast. Inputs are Broadcast, too, unless `splitsInputs` is set: then
/// dimension 0 is split by every axis for which it still has an element per
/// device.
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
