// Builds the training step of a loss function:
//
//   @train_step(inputs of the loss, %lr) -> loss
//     the loss                      the ops of the loss function
//     its gradients                 Backward.h, Layers.h, MicroBatches.h
//     the optimiser's step          Optimizers.h
//
// @train_step and the functions that it calls contain the whole step, so that
// later passes can optimise it as a whole.

#ifndef PASSES_DIFFERENTIATE_TRAINSTEP_H_
#define PASSES_DIFFERENTIATE_TRAINSTEP_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/microbatches/BatchParts.h"

namespace sbp {

/// Adds the public function `@train_step`, the forward and backward functions
/// of layers, and the optimiser's state to the module of `loss`. `loss` must
/// have one result, a floating-point scalar. Fails with a diagnostic if an op
/// between a trained parameter and the loss has no adjoint, if the loss depends
/// on no trained parameter, if calls are recursive, if a name is taken, if a
/// function that `loss` does not call has sbp.keep, or if the loss cannot be
/// computed in `parts` or with `delays`.
///
/// Functions with sbp.keep are layers that keep less (Recompute.h). Removes the
/// attribute from all functions.
///
/// If the batch has several `parts`, which are micro-batches or parts of them,
/// they are processed one after the other (MicroBatches.h). The step runs
/// forward and backward of one part before it begins the next, and adds up the
/// gradients of all parts. `loss` is changed to process the parts in the same
/// way.
///
/// `delays[s]` is the age, in steps, of the weights that stage s reads
/// (passes/schedule/Delays.h). `delays` is empty if steps end with a flush. If
/// several stages read a parameter, the largest of their delays applies. `loss`
/// itself reads the newest weights.
///
/// Terms of gradients in bf16 are reduced over ranks in the type `reduceIn`.
LogicalResult buildTrainStep(mlir::func::FuncOp loss, Attribute optimizer,
                             BatchParts parts = {},
                             ArrayRef<int64_t> delays = {},
                             ReduceIn reduceIn = ReduceIn::F32);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TRAINSTEP_H_
