// The training step of a loss function:
//
//   @train_step(inputs of the loss, %lr) -> loss
//     the loss                      as the function computes it
//     its gradients                 Backward.h, Layers.h, MicroBatches.h
//     the optimiser's step          Optimizers.h
//
// all in one function, so that what follows sees a whole step.

#ifndef PASSES_DIFFERENTIATE_TRAINSTEP_H_
#define PASSES_DIFFERENTIATE_TRAINSTEP_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/ReduceIn.h"
#include "passes/microbatches/BatchParts.h"

namespace sbp {

/// Adds the public function `@train_step` to the module of `loss`, a function
/// with one floating-point scalar result, and with it the layers' pairs and the
/// optimiser's state. Fails with a diagnostic when an op on the way from a
/// parameter to the loss has no adjoint, when there is no such way, when calls
/// recur, or when a name is taken.
///
/// In several `parts` of the batch the loss is computed one after the other
/// (MicroBatches.h); the step goes backward through each before it begins the
/// next, and adds up their gradients.
///
/// `delays` says of each stage how many steps old the weights are that it reads
/// (passes/schedule/Delays.h); empty where steps end with a flush. A parameter
/// of several stages is read as old as the one of them reads that lags most.
/// The loss itself reads the newest.
///
/// Terms of gradients in bf16 are added up over ranks in the type `reduceIn`.
LogicalResult buildTrainStep(mlir::func::FuncOp loss, Attribute optimizer,
                             BatchParts parts = {},
                             ArrayRef<int64_t> delays = {},
                             ReduceIn reduceIn = ReduceIn::F32);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_TRAINSTEP_H_
