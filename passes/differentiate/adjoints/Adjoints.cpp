#include "passes/differentiate/adjoints/Adjoints.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "passes/differentiate/adjoints/Adjoint.h"

namespace sbp {
namespace {

// The gradient gets the same pin as the value, as JAX does with sharding
// constraints. So a pin to Broadcast after partial sums reduces them there in
// the forward pass, and a pin to Broadcast before them reduces the gradient
// there in the backward pass (Megatron's g and f). The gradient of a Partial
// value is the same for all its terms: Broadcast.
Gradients ofPin(PinOp op, Term g) {
  NdSbpAttr placement = op.getPlacement();
  SmallVector<Component> components(placement.getComponents());
  for (Component& component : components)
    if (component.isPartial()) component = Component::broadcast();
  auto dual = NdSbpAttr::get(op.getContext(), placement.getMesh(), components);
  return {g.build<PinOp>(op.getType(), g, dual)};
}

}  // namespace

void registerAdjoints(mlir::DialectRegistry& registry) {
  registry.addExtension(+[](MLIRContext* context, nn::NnDialect*) {
    attachElementwiseAdjoints(context);
    attachShapeAdjoints(context);
    attachTensorAdjoints(context);
    attachLossAdjoints(context);
    attachBatchNormAdjoints(context);
    attachWindowAdjoints(context);
  });
  registry.addExtension(+[](MLIRContext* context, SbpDialect*) {
    attachAdjoints<ofPin>(context);
  });
}

}  // namespace sbp
