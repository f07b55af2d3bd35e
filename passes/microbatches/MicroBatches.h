// Computes a batch in micro-batches, one after the other.
//
// The loss over a batch becomes a sum over its micro-batches. One function runs
// once per micro-batch, and adds its term to a sum that it takes as an
// argument:
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
// MicroBatchFunctions.h describes what @loss.part computes. A mean divides by
// the number of samples of the whole batch, so that the terms add up to the
// mean. A loss that is not a sum, such as a quotient of two sums, has several
// terms and is computed from their sums (DeferredValue.h). A training step adds
// up gradients in the same way, each as soon as it is made. Parameters are
// arguments of this function, so that a parameter can change its placement once
// for all micro-batches, or in each.
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
  /// `loss`. `loss` and the functions that it calls must not be recursive.
  /// Fails with a diagnostic if the number of micro-batches does not divide the
  /// samples, or at an op that mixes samples.
  static FailureOr<MicroBatches> divide(mlir::func::FuncOp loss,
                                        BatchParts parts,
                                        mlir::SymbolTable& symbols);

  /// Returns the private function of a micro-batch, which nothing calls yet.
  /// Its arguments are the whole inputs (a divided input has the shape
  /// Batch::dividedShape()), then the parameters. It returns the terms of the
  /// loss.
  mlir::func::FuncOp microBatchFunction() const { return microBatchFunction_; }

  /// Returns the terms of the loss, all of which the loss depends on.
  mlir::OperandRange terms() const;

  struct Parameter {
    mlir::StringAttr name;
    mlir::BlockArgument argument;
  };
  /// Returns the parameters that `microBatchFunction`, a copy of
  /// microBatchFunction(), takes. A parameter that several stages read is
  /// listed once per stage.
  SmallVector<Parameter> parametersOf(
      mlir::func::FuncOp microBatchFunction) const;

  /// Whether the loss is the sum of its only term.
  bool isSum() const { return loss_.kind == DeferredValue::Kind::Term; }

  /// Returns a deferred op that takes the sum of term `index`. If that op is a
  /// call, returns an op of the called function that uses the sum; `symbols`
  /// has the functions. The loss must not be a sum itself.
  Operation* userOfSum(int64_t index, const mlir::SymbolTable& symbols) const;

  /// Changes `microBatchFunction`, which is microBatchFunction() or a copy of
  /// it, to take a sum per term as further arguments, and to return only these
  /// sums, with `terms` added.
  static void addUp(mlir::func::FuncOp microBatchFunction,
                    ArrayRef<Value> terms);

  /// Builds ops, in the body of `function`, that repeat `microBatchFunction`,
  /// and returns all sums. The first arguments of `function` are those of the
  /// loss. `microBatchFunction` has been changed by addUp(): it adds up the
  /// terms of the loss, and possibly more terms after them. `factors` are its
  /// arguments between the parameters and the sums. `delays` says, by stage,
  /// how many steps old the parameters are that the stage reads. A parameter
  /// that several stages read has the largest of their delays. A stage without
  /// an entry reads the newest values.
  SmallVector<Value> repeat(OpBuilder& builder, mlir::func::FuncOp function,
                            mlir::func::FuncOp microBatchFunction,
                            ValueRange factors = {},
                            ArrayRef<int64_t> delays = {}) const;

  /// Builds the loss, in the body of `function`, from `sums`, the sum of each
  /// term over all micro-batches. The first arguments of `function` are those
  /// of the loss.
  Value buildLoss(OpBuilder& builder, mlir::func::FuncOp function,
                  ValueRange sums) const;

  /// Rewrites `loss`, which has been divided, to repeat microBatchFunction(),
  /// which this changes by addUp(). Functions on which nothing else depends are
  /// left in place.
  void rewrite(mlir::func::FuncOp loss) const;

  /// Erases the private functions of the batch that are divided, if they have
  /// no callers, or only callers that are erased too.
  void eraseUnusedBatchFunctions(mlir::SymbolTable& symbols) const;

 private:
  /// Returns the largest of the `delays` of the stages that read `parameter`,
  /// in steps; 0 if no stage with a delay reads it.
  int64_t delayOf(mlir::StringAttr parameter, ArrayRef<int64_t> delays) const;

  BatchInputs inputs_;
  mlir::func::FuncOp microBatchFunction_;
  DeferredValue loss_ = DeferredValue::term(0);
  SmallVector<mlir::StringAttr> parameters_;
  /// Stage that reads a parameter, by parameter; nullopt if the reader belongs
  /// to no stage.
  SmallVector<std::optional<int64_t>> stages_;
  /// The divided functions, callers before callees.
  SmallVector<mlir::func::FuncOp> batchFunctions_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHES_H_
