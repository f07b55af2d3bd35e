#include "passes/differentiate/adjoints/Adjoints.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "passes/differentiate/adjoints/Adjoint.h"

namespace sbp {
namespace {

// A pin speaks of its value; the gradient lies where the search puts it.
Gradients ofPin(PinOp, Term g) { return {g}; }

}  // namespace

void registerAdjoints(mlir::DialectRegistry& registry) {
  registry.addExtension(+[](MLIRContext* context, nn::NnDialect*) {
    attachElementwiseAdjoints(context);
    attachShapeAdjoints(context);
    attachTensorAdjoints(context);
    attachLossAdjoints(context);
  });
  registry.addExtension(+[](MLIRContext* context, SbpDialect*) {
    attachAdjoints<ofPin>(context);
  });
}

}  // namespace sbp
