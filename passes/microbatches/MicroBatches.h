// A batch in micro-batches, one after the other.
//
// A loss over a batch becomes a sum over its micro-batches, by a function that
// is repeated and is given what the calls before it have added up:
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
// FunctionParts.h says what @loss.part computes. A mean divides by the samples
// of the whole batch, so its terms add up to it. A loss that is no sum, as a
// quotient of two, has several terms, and is computed of their sums
// (LaterValue.h). A step that trains adds up gradients likewise, each as soon
// as it is there. Parameters are arguments: so one may be moved once for all
// micro-batches, or in each.
//
// The statistics of batch normalisation are those of a micro-batch.

#ifndef PASSES_MICROBATCHES_MICROBATCHES_H_
#define PASSES_MICROBATCHES_MICROBATCHES_H_

#include <optional>

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/microbatches/BatchInputs.h"
#include "passes/microbatches/BatchParts.h"
#include "passes/microbatches/LaterValue.h"

namespace sbp {

class MicroBatches {
 public:
  /// Adds to the module of `loss`, whose calls do not recur, the function of
  /// one of `parts`. Fails with a diagnostic when they do not divide the
  /// samples, and at an op that mixes them.
  static FailureOr<MicroBatches> divide(mlir::func::FuncOp loss,
                                        BatchParts parts,
                                        mlir::SymbolTable& symbols);

  /// The private function of a micro-batch: takes the inputs and the
  /// parameters, and returns the terms of the loss. Nobody calls it yet.
  mlir::func::FuncOp part() const { return part_; }

  struct Parameter {
    mlir::StringAttr name;
    mlir::BlockArgument argument;
  };
  /// The parameters that `part`, a copy of part(), takes; one that several
  /// stages read, once for each.
  SmallVector<Parameter> parametersOf(mlir::func::FuncOp part) const;

  /// Whether the loss is the sum of its only term.
  bool isSum() const { return loss_.from == LaterValue::From::Term; }

  /// An op that is computed of the sum of term `index`, one of the functions
  /// `symbols` if a call takes it; null if none is.
  Operation* userOfSum(int64_t index, const mlir::SymbolTable& symbols) const;

  /// Makes `part`, a copy of part() perhaps with more in it, take sums and
  /// return them with `terms` added.
  static void addUp(mlir::func::FuncOp part, ArrayRef<Value> terms);

  /// Rewrites `function`, which takes what the loss does and perhaps more, so
  /// that it repeats `part`, which adds up the terms of the loss and perhaps
  /// more, and returns the loss. Returns all sums. A stage reads parameters
  /// that are as many steps old as `delays` says, if that has any.
  SmallVector<Value> rewrite(mlir::func::FuncOp function,
                             mlir::func::FuncOp part,
                             ArrayRef<int64_t> delays = {}) const;

  /// Erases the functions that were divided, where nobody calls them any more.
  void eraseWholes(mlir::SymbolTable& symbols) const;

 private:
  /// How many steps old a parameter is when stages with `delays` read it.
  int64_t delayOf(mlir::StringAttr parameter, ArrayRef<int64_t> delays) const;

  BatchInputs inputs_;
  mlir::func::FuncOp part_;
  LaterValue loss_ = LaterValue::term(0);
  SmallVector<mlir::StringAttr> parameters_;
  SmallVector<std::optional<int64_t>> stages_;  // that read them, if any
  SmallVector<mlir::func::FuncOp> wholes_;      // callers first
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHES_H_
