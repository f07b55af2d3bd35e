// The training step of a loss function:
//
//   @train_step(inputs of the loss, %lr) -> loss
//     the loss                      as the function computes it
//     its gradients                 Backward.h, Layers.h
//     the optimiser's step          Optimizers.h
//
// all in one function, so that what follows sees a whole step.

#ifndef PASSES_DIFFERENTIATE_TRAINSTEP_H_
#define PASSES_DIFFERENTIATE_TRAINSTEP_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Adds the public function `@train_step` to the module of `loss`, a function
/// with one floating-point scalar result, and with it the layers' pairs and the
/// optimiser's state. Fails with a diagnostic when an op on the way from a
/// parameter to the loss has no adjoint, when there is no such way, when calls
/// recur, or when a name is taken.
LogicalResult buildTrainStep(mlir::func::FuncOp loss, Attribute optimizer);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TRAINSTEP_H_
