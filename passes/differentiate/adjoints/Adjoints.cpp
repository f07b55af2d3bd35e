#include "passes/differentiate/adjoints/Adjoints.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "passes/differentiate/adjoints/Adjoint.h"

namespace sbp {
namespace {

// The gradient gets the same pin as the value, as in JAX for sharding
// constraints. A pin to Broadcast after partial sums reduces these sums in the
// forward pass. A pin to Broadcast before partial sums reduces the gradient in
// the backward pass (Megatron's g and f). The gradient of a Partial value is
// the same for all terms of the value, so it is Broadcast.
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
