// The loss and its gradients in a training step that goes through its batch in
// parts (MicroBatches.h).
//
//   @train_step.part    forward and backward through one part; adds up terms of
//                       the loss and of the gradients
//   @train_step         repeats it, and computes the loss from sums of terms
//
// The loss may be another function of these sums than a sum. Then gradients
// have factors, the derivatives of the loss by the sums. If one number depends
// on parameters, its factor is multiplied once with the sums of gradients. For
// several sums see LossFactors.h.

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

/// Builds the loss and the gradients of a training step in parts; used once.
class GradientsInParts {
 public:
  /// `step` takes the arguments of the loss, then others. Its body is replaced.
  /// `delays` has the age of the weights that each stage reads, in steps, and
  /// is empty if steps do not overlap (TrainStep.h).
  GradientsInParts(mlir::func::FuncOp step, const MicroBatches& batches,
                   ArrayRef<int64_t> delays, mlir::SymbolTable& symbols,
                   Activity& activity, LayerFunctions& layers)
      : step_(step),
        batches_(batches),
        delays_(delays),
        symbols_(symbols),
        activity_(activity),
        layers_(layers) {}

  /// Changes `step` to return the loss, and returns its gradients. Fails with a
  /// diagnostic if the loss cannot be differentiated in parts.
  FailureOr<ParameterGradients> build();

 private:
  /// Goes back through one part. Adds the gradients of the terms that `part`
  /// returns, which are part of the loss, to `backward`.
  LogicalResult goBack(mlir::func::FuncOp part, Backward& backward);
  /// Multiplies gradients by the derivative of the loss by `factorOf_`, unless
  /// that is unset, and adds the gradients of parameters on which the loss
  /// depends directly. `sums` are those from which `step` computes the loss.
  LogicalResult complete(ValueRange sums, ParameterGradients& gradients);

  mlir::func::FuncOp step_;
  const MicroBatches& batches_;
  ArrayRef<int64_t> delays_;
  mlir::SymbolTable& symbols_;
  Activity& activity_;
  LayerFunctions& layers_;
  SmallVector<Value> factors_;      // arguments of `part` after parameters
  std::optional<size_t> factorOf_;  // index of a sum
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_GRADIENTSINPARTS_H_
