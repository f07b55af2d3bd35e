// Computes a batch in micro-batches, one after the other.
//
// The loss over a batch becomes a sum over its micro-batches. One function runs
// once per micro-batch. It takes the sum so far as an argument, and adds its
// term:
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
// MicroBatchFunctions.h describes what @loss.part computes. A mean in
// @loss.part divides by the number of samples of the whole batch, so the terms
// add up to the mean. A loss that is not a sum, such as a quotient of two sums,
// has several terms and is computed from their sums (DeferredValue.h). A
// training step adds up gradients in the same way, each as soon as it is made.
// Parameters are arguments of @loss.part. So a parameter can change its
// placement once for all micro-batches, or in each of them.
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
  /// Adds to the module of `loss` a function for one of parts.count()
  /// micro-batches. `loss` and the functions that it calls must not be
  /// recursive. Fails with a diagnostic if the number of samples is no multiple
  /// of parts.count(), or at an op that mixes samples.
  static FailureOr<MicroBatches> divide(mlir::func::FuncOp loss,
                                        BatchParts parts,
                                        mlir::SymbolTable& symbols);

  /// Returns the private function for a micro-batch, which has no callers yet.
  /// Its arguments are the whole inputs (a divided input has the shape
  /// Batch::dividedShape()), then the parameters. It returns the terms of the
  /// loss.
  mlir::func::FuncOp microBatchFunction() const { return microBatchFunction_; }

  /// Returns the terms of the loss. The loss depends on each of them.
  mlir::OperandRange terms() const;

  /// A parameter, and the argument that passes its value.
  struct Parameter {
    mlir::StringAttr name;
    mlir::BlockArgument argument;
  };
  /// Returns the parameters among the arguments of `microBatchFunction`, a copy
  /// of microBatchFunction(). A parameter that several stages read is listed
  /// once per stage.
  SmallVector<Parameter> parametersOf(
      mlir::func::FuncOp microBatchFunction) const;

  /// Whether the loss is the sum of its only term.
  bool isSum() const { return loss_.kind == DeferredValue::Kind::Term; }

  /// Returns a deferred op that takes the sum of term `index`. If that op is a
  /// call, returns an op of the called function that uses the sum. `symbols` is
  /// the symbol table of the functions. isSum() must be false.
  Operation* userOfSum(int64_t index, const mlir::SymbolTable& symbols) const;

  /// Changes `microBatchFunction`, which is microBatchFunction() or a copy of
  /// it. Afterwards it takes one sum per term as further arguments, adds
  /// `terms` to these sums, and returns only the results.
  static void addUp(mlir::func::FuncOp microBatchFunction,
                    ArrayRef<Value> terms);

  /// Builds, in the body of `function`, an nn.repeat of `microBatchFunction`.
  /// Returns all sums. The first arguments of `function` must be those of the
  /// loss. `microBatchFunction` must have been changed by addUp(), with the
  /// terms of the loss and possibly more terms after them. `factors` are its
  /// arguments between the parameters and the sums.
  ///
  /// `delays[s]` says how many steps old the parameters are that stage s reads.
  /// A stage without an element reads the newest values. If several stages read
  /// a parameter, the largest of their delays applies.
  SmallVector<Value> repeat(OpBuilder& builder, mlir::func::FuncOp function,
                            mlir::func::FuncOp microBatchFunction,
                            ValueRange factors = {},
                            ArrayRef<int64_t> delays = {}) const;

  /// Builds the loss in the body of `function`. `sums` has the sum of each term
  /// over all micro-batches. The first arguments of `function` must be those of
  /// the loss.
  Value buildLoss(OpBuilder& builder, mlir::func::FuncOp function,
                  ValueRange sums) const;

  /// Rewrites `loss`, which must be the loss that was divided, to repeat
  /// microBatchFunction(). Changes the latter by addUp(). Functions that become
  /// unused stay in the module.
  void rewrite(mlir::func::FuncOp loss) const;

  /// Erases private functions of the batch that have been divided, unless they
  /// have callers that stay.
  void eraseUnusedBatchFunctions(mlir::SymbolTable& symbols) const;

 private:
  /// Returns the largest of `delays`, in steps, over the stages that read
  /// `parameter`; 0 if no stage with a delay reads it.
  int64_t delayOf(mlir::StringAttr parameter, ArrayRef<int64_t> delays) const;

  BatchInputs inputs_;
  mlir::func::FuncOp microBatchFunction_;
  DeferredValue loss_ = DeferredValue::term(0);
  SmallVector<mlir::StringAttr> parameters_;
  /// The stage that reads each parameter; nullopt if the reader belongs to no
  /// stage.
  SmallVector<std::optional<int64_t>> stages_;
  /// The divided functions, callers before callees.
  SmallVector<mlir::func::FuncOp> batchFunctions_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHES_H_
