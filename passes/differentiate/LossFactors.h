// The derivatives of a loss by several sums over samples.
//
//   %loss = %a / %n + %b / %m       %a and %b depend on parameters
//
// Each micro-batch adds a term to %a and to %b, and goes back through both
// terms at once. So it needs the derivatives of the loss by both sums, here
// 1/%n and 1/%m, before the sums are complete. This is possible if the loss is
// linear in %a and %b. What the derivatives depend on, here %n and %m, is added
// up by a first pass through all micro-batches, which computes nothing else:
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
  /// The body of `step` has only a return, of nothing. Its first arguments are
  /// those of the loss.
  LossFactors(mlir::func::FuncOp step, const MicroBatches& batches,
              mlir::SymbolTable& symbols, Activity& activity,
              LayerFunctions& layers)
      : step_(step),
        batches_(batches),
        symbols_(symbols),
        activity_(activity),
        layers_(layers) {}

  /// Returns the derivatives of the loss by the sums of the terms with the
  /// indices `trained`, which depend on parameters. Fails with a diagnostic if
  /// the loss is not linear in these sums, or if a first pass is needed and
  /// steps overlap (`overlaps`).
  FailureOr<SmallVector<Value>> build(ArrayRef<size_t> trained, bool overlaps);

 private:
  /// Builds the derivatives of the loss by `sums`, which are arguments of
  /// `step`, into a body that returns them.
  LogicalResult buildDerivatives(ArrayRef<mlir::BlockArgument> sums,
                                 ArrayRef<size_t> trained);
  /// Builds the first pass at the beginning of `step`, and returns the sums of
  /// the terms with the indices `terms`.
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
