// The training step of a loss function:
//
//   @train_step(inputs of the loss, %lr) -> loss
//     the loss                      as the function computes it
//     its gradients                 Backward.h, Layers.h, MicroBatches.h
//     the optimiser's step          Optimizers.h
//
// @train_step, with the functions that it calls, does all of it, so that later
// passes see a whole step.

#ifndef PASSES_DIFFERENTIATE_TRAINSTEP_H_
#define PASSES_DIFFERENTIATE_TRAINSTEP_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/microbatches/BatchParts.h"

namespace sbp {

/// Adds the public function `@train_step`, the forward and backward functions
/// of layers, and the optimiser's state to the module of `loss`, a function
/// with one floating-point scalar result. Fails with a diagnostic if an op
/// between a trained parameter and the loss has no adjoint, if the loss depends
/// on no trained parameter, if calls are recursive, if a name is taken, or if
/// the loss cannot be computed in `parts` or with `delays`.
///
/// If the batch has several `parts`, they are processed one after the other
/// (MicroBatches.h): the step goes forward and backward through one part before
/// it begins the next, and adds up the gradients of all. `loss` is changed to
/// go through the parts as well.
///
/// `delays` has, by stage, the age in steps of the weights that the stage reads
/// (passes/schedule/Delays.h); it is empty if steps end with a flush. A
/// parameter that several stages read has the largest delay among them. `loss`
/// itself reads the newest weights.
///
/// Terms of gradients in bf16 are reduced over ranks in the type `reduceIn`.
LogicalResult buildTrainStep(mlir::func::FuncOp loss, Attribute optimizer,
                             BatchParts parts = {},
                             ArrayRef<int64_t> delays = {},
                             ReduceIn reduceIn = ReduceIn::F32);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TRAINSTEP_H_
