// The derivatives of a loss by several sums over samples.
//
//   %loss = %a / %n + %b / %m       %a and %b depend on parameters
//
// Each micro-batch adds a term to %a and to %b. Its backward starts from both
// terms at once, so it needs the derivatives of the loss by both sums, here
// 1/%n and 1/%m, before the sums are complete. This is possible if the loss is
// linear in %a and %b. A first pass through all micro-batches adds up the sums
// on which the derivatives depend, here %n and %m, and computes nothing else:
//
//   %counts:2 = nn.repeat 4 @train_step.counts(%masks)
//   %f = nn.div %one, %counts#0
//   %g = nn.div %one, %counts#1
//   %sums:6 = nn.repeat 4 @train_step.part(%xs, %masks, %w, %v, %f, %g)

#ifndef PASSES_DIFFERENTIATE_LOSSFACTORS_H_
#define PASSES_DIFFERENTIATE_LOSSFACTORS_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/differentiate/Activity.h"
#include "passes/differentiate/LayerFunctions.h"
#include "passes/microbatches/MicroBatches.h"

namespace sbp {

/// Builds the derivatives of the loss of `batches` in a training step.
class LossFactors {
 public:
  /// The body of `step` must be a return without operands. The first arguments
  /// of `step` must be those of the loss.
  LossFactors(mlir::func::FuncOp step, const MicroBatches& batches,
              mlir::SymbolTable& symbols, Activity& activity,
              LayerFunctions& layers)
      : step_(step),
        batches_(batches),
        symbols_(symbols),
        activity_(activity),
        layers_(layers) {}

  /// Returns the derivatives of the loss by those sums of terms that depend on
  /// parameters. `trained` has the indices of these terms. Fails with a
  /// diagnostic if the loss is not linear in these sums. Also fails if a first
  /// pass is needed although training steps overlap, which `overlaps` says.
  FailureOr<SmallVector<Value>> build(ArrayRef<size_t> trained, bool overlaps);

 private:
  /// Builds the derivatives of the loss by `sums` into the body of `step`,
  /// which then returns them. `sums` must be arguments of `step`.
  LogicalResult buildDerivatives(ArrayRef<mlir::BlockArgument> sums,
                                 ArrayRef<size_t> trained);
  /// Builds the first pass at the beginning of `step`. Returns the sums of the
  /// terms with the indices `terms`.
  SmallVector<Value> addFirstPass(ArrayRef<size_t> terms);
  mlir::InFlightDiagnostic emitRefusal(size_t term) const;

  mlir::func::FuncOp step_;
  const MicroBatches& batches_;
  mlir::SymbolTable& symbols_;
  Activity& activity_;
  LayerFunctions& layers_;
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LOSSFACTORS_H_
