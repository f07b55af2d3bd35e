// A batch in parts, one after the other.
//
// A loss over a batch becomes one over so many micro-batches, in calls of one
// function that is given what the calls before it have added up:
//
//   @loss(%x: tensor<8x..>) {     @loss(%x: tensor<8x..>) {
//     %w = nn.get @w                %xs = nn.reshape %x   // 2x4x..
//     ...                           %w = nn.get @w
//   }                               %sum = nn.repeat 4 @loss.part(%xs, %w)
//                                   return %sum / 4 }
//
//   @loss.part(%xs, %w, %sum) {
//     %k = nn.repetition               // 0, 1, 2, 3
//     %x = nn.part %k of %xs dim 1     // 2x.., every 4th sample
//     ...
//     return %sum + %loss }            // %sum is 0 the first time
//
// What @loss.part computes, and what it calls, is the program for a batch of
// two: all that has a dimension of samples (SampleDims.h) has fewer of them. A
// step that trains adds up gradients likewise, each as soon as it is there.
// Parameters are arguments: so one may be moved once for all parts, or in each.
//
// Part k has the samples k, k + 4, ...: where the ranks share the samples, each
// has some of every part, and cuts them from what it has.
//
// What is reckoned from all samples of a batch other than by a sum or a mean,
// as the statistics of batch normalisation, is reckoned from those of a part.

#ifndef PASSES_DIFFERENTIATE_MICROBATCHES_H_
#define PASSES_DIFFERENTIATE_MICROBATCHES_H_

#include <optional>

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

class MicroBatches {
 public:
  /// Adds to the module of `loss`, whose calls do not recur, the function of
  /// one of `count` micro-batches. Fails with a diagnostic when an input has a
  /// number of samples that `count` does not divide, when the loss is neither a
  /// mean nor a sum over samples, or when an op knows otherwise than by a
  /// dimension how many there are.
  static FailureOr<MicroBatches> divide(mlir::func::FuncOp loss, int64_t count,
                                        mlir::SymbolTable& symbols);

  /// The private function of a part: takes the inputs and the parameters, and
  /// returns its loss. Nobody calls it yet.
  mlir::func::FuncOp part() const { return part_; }

  struct Parameter {
    mlir::StringAttr name;
    mlir::BlockArgument argument;
  };
  /// The parameters that `part`, a copy of part(), takes; one that several
  /// stages read, once for each.
  SmallVector<Parameter> parametersOf(mlir::func::FuncOp part) const;

  /// What the sum of the losses of all parts is multiplied by.
  double weight() const { return weight_; }

  /// Makes `part`, a copy of part() perhaps with more in it, take sums and
  /// return them with `terms` added.
  static void addUp(mlir::func::FuncOp part, ArrayRef<Value> terms);

  /// Rewrites `function`, which takes what the loss does and perhaps more, so
  /// that it repeats `part`, whose terms are added up, and returns the first
  /// sum, multiplied. Returns the others. A stage reads parameters that are as
  /// many steps old as `delays` says, if that has any.
  SmallVector<Value> rewrite(mlir::func::FuncOp function,
                             mlir::func::FuncOp part,
                             ArrayRef<int64_t> delays = {}) const;

  /// Erases the functions of which there are parts, where nobody calls them any
  /// more.
  void eraseWholes(mlir::SymbolTable& symbols) const;

 private:
  /// How many steps old a parameter is when stages with `delays` read it.
  int64_t delayOf(mlir::StringAttr parameter, ArrayRef<int64_t> delays) const;

  int64_t count_ = 1;
  double weight_ = 1;
  int64_t numInputs_ = 0;
  mlir::func::FuncOp part_;
  SmallVector<mlir::StringAttr> parameters_;
  SmallVector<std::optional<int64_t>> stages_;  // that read them, if any
  SmallVector<mlir::func::FuncOp> wholes_;      // callers first
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_MICROBATCHES_H_
