// Builds the loss and its gradients in a training step that divides its batch
// into micro-batches (MicroBatches.h).
//
//   @train_step.part    forward and backward of one micro-batch; adds up terms
//                       of the loss and of the gradients
//   @train_step         repeats @train_step.part, and computes the loss from
//                       the sums of terms
//
// If the loss is not itself a sum of terms, but another function of the sums,
// gradients must be multiplied by factors: the derivatives of the loss by the
// sums. If only one sum depends on parameters, and is a scalar, the sums of
// gradients are multiplied by its factor once, after all micro-batches.
// LossFactors.h has all other cases.

#ifndef PASSES_DIFFERENTIATE_GRADIENTSINPARTS_H_
#define PASSES_DIFFERENTIATE_GRADIENTSINPARTS_H_

#include <optional>

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/Activity.h"
#include "passes/differentiate/Backward.h"
#include "passes/differentiate/LayerFunctions.h"
#include "passes/microbatches/MicroBatches.h"

namespace sbp {

/// Builds the loss and the gradients of a training step in micro-batches. Use
/// each object once.
class GradientsInParts {
 public:
  /// `step` must take the arguments of the loss, then other arguments. Its body
  /// is replaced. `delays` has the age, in steps, of the weights that each
  /// stage reads. It is empty if steps do not overlap (TrainStep.h).
  GradientsInParts(mlir::func::FuncOp step, const MicroBatches& batches,
                   ArrayRef<int64_t> delays, mlir::SymbolTable& symbols,
                   Activity& activity, LayerFunctions& layers)
      : step_(step),
        batches_(batches),
        delays_(delays),
        symbols_(symbols),
        activity_(activity),
        layers_(layers) {}

  /// Changes `step` to return the loss. Returns the gradients of the loss.
  /// Fails with a diagnostic if the loss cannot be differentiated in
  /// micro-batches.
  FailureOr<ParameterGradients> build();

 private:
  /// Builds the backward of one micro-batch. `part` returns the terms of the
  /// loss. Adds to `backward` the gradients of the active ones among them.
  LogicalResult goBack(mlir::func::FuncOp part, Backward& backward);
  /// Completes `gradients`. If `factorOf_` is set, multiplies them by the
  /// derivative of the loss by that sum. Adds the gradients of parameters on
  /// which the loss depends directly. `sums` must be the sums from which `step`
  /// computes the loss.
  LogicalResult complete(ValueRange sums, ParameterGradients& gradients);

  mlir::func::FuncOp step_;
  const MicroBatches& batches_;
  ArrayRef<int64_t> delays_;
  mlir::SymbolTable& symbols_;
  Activity& activity_;
  LayerFunctions& layers_;
  SmallVector<Value> factors_;      // arguments of `part` after the parameters
  std::optional<size_t> factorOf_;  // index of a sum; see complete()
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_GRADIENTSINPARTS_H_
