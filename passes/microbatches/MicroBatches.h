// Computes a batch in micro-batches, one after the other.
//
// The loss over a batch becomes a sum over its micro-batches. A function is
// repeated once per micro-batch; it adds its term to a sum that it is passed:
//
//   @loss(%x: tensor<8x..>) {     @loss(%x: tensor<8x..>) {
//     %w = nn.get @w                %xs = nn.reshape %x   // 2x4x..
//     ...                           %w = nn.get @w
//   }                               %sum = nn.repeat 4 @loss.part(%xs, %w)
//                                   return %sum }
//
//   @loss.part(%xs, %w, %sum) {
//     %k = nn.repetition               // 0, 1, 2, 3
//     %x = nn.part %k of %xs dim 1     // 2x.., every 4th sample
//     ...
//     return %sum + %term }            // %sum is 0 the first time
//
// FunctionParts.h describes what @loss.part computes. A mean divides by the
// number of samples of the whole batch, so that its terms add up to it. A loss
// that is not a sum, such as a quotient of two sums, has several terms and is
// computed from their sums (DeferredValue.h). A training step adds up gradients
// in the same way, each as soon as it is made. Parameters are arguments of the
// part, so that a parameter can be moved once for all micro-batches, or in
// each.
//
// Batch normalisation uses the mean and variance of a micro-batch, so its
// results differ from those of the whole batch.

#ifndef PASSES_MICROBATCHES_MICROBATCHES_H_
#define PASSES_MICROBATCHES_MICROBATCHES_H_

#include <optional>

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/microbatches/BatchInputs.h"
#include "passes/microbatches/BatchParts.h"
#include "passes/microbatches/DeferredValue.h"

namespace sbp {

/// The division of one loss into micro-batches.
class MicroBatches {
 public:
  /// Adds the function of one of parts.count() micro-batches to the module of
  /// `loss`, whose calls must not recur. Fails with a diagnostic if their
  /// number does not divide the samples, or at an op that mixes samples.
  static FailureOr<MicroBatches> divide(mlir::func::FuncOp loss,
                                        BatchParts parts,
                                        mlir::SymbolTable& symbols);

  /// Returns the private function of a micro-batch. It takes the inputs and the
  /// parameters, and returns the terms of the loss. It has no callers yet.
  mlir::func::FuncOp part() const { return part_; }

  struct Parameter {
    mlir::StringAttr name;
    mlir::BlockArgument argument;
  };
  /// Returns the parameters that `part`, a copy of part(), takes. A parameter
  /// that several stages read is listed once per stage.
  SmallVector<Parameter> parametersOf(mlir::func::FuncOp part) const;

  /// Whether the loss is the sum of its only term.
  bool isSum() const { return loss_.from == DeferredValue::From::Term; }

  /// Returns a deferred op that takes the sum of term `index`; null if there is
  /// none. If a call takes the sum, returns an op of the called function, which
  /// is in `symbols`.
  Operation* userOfSum(int64_t index, const mlir::SymbolTable& symbols) const;

  /// Changes `part`, a copy of part() to which results may have been added, to
  /// take sums as further arguments and return them with `terms` added.
  static void addUp(mlir::func::FuncOp part, ArrayRef<Value> terms);

  /// Rewrites `function`, whose first arguments are those of the loss, to
  /// repeat `part` and return the loss. `part` adds up the terms of the loss,
  /// and possibly more terms after them. Returns all sums. A parameter is read
  /// as it was a number of steps ago: the largest of the `delays`, which are by
  /// stage, of the stages that read it; the newest value if `delays` is empty.
  SmallVector<Value> rewrite(mlir::func::FuncOp function,
                             mlir::func::FuncOp part,
                             ArrayRef<int64_t> delays = {}) const;

  /// Erases the divided functions that no longer have callers.
  void eraseWholes(mlir::SymbolTable& symbols) const;

 private:
  /// Returns the largest of the `delays` of the stages that read `parameter`,
  /// in steps; 0 if no stage with a delay reads it.
  int64_t delayOf(mlir::StringAttr parameter, ArrayRef<int64_t> delays) const;

  BatchInputs inputs_;
  mlir::func::FuncOp part_;
  DeferredValue loss_ = DeferredValue::term(0);
  SmallVector<mlir::StringAttr> parameters_;
  /// Stage of the reader of each parameter, if it belongs to one.
  SmallVector<std::optional<int64_t>> stages_;
  SmallVector<mlir::func::FuncOp> wholes_;  // callers first
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHES_H_
