// Writes the functions for a micro-batch from the functions for the batch.
//
// A function for a micro-batch is derived from one for the batch as a rank's
// program is derived from a placed one. The micro-batches are like a mesh axis,
// on which each value of the batch has a component (dialects/sbp/Algebra.h):
//
//   S(d)    split: a micro-batch has the elements of its own samples
//   B       the same in every micro-batch: a weight, a mask, a constant
//   P(sum)  a term: the value is the sum of the terms of all micro-batches
//
// An op is computed per micro-batch if its loops have a signature for the
// components of its operands. If the op needs a B operand to be split, the
// operand is split. An op without such a signature mixes samples, so the batch
// cannot be divided, which is an error at the op. There are two exceptions. If
// all operands of the op are terms or B values, the op is deferred until after
// all micro-batches (DeferredValue.h). Batch normalisation uses the statistics
// of a micro-batch.
//
// A function for the batch has at most one function for a micro-batch per
// combination of components with which it is called.

#ifndef PASSES_MICROBATCHES_MICROBATCHFUNCTIONS_H_
#define PASSES_MICROBATCHES_MICROBATCHFUNCTIONS_H_

#include <map>
#include <optional>
#include <vector>

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/microbatches/Batch.h"
#include "passes/microbatches/DeferredValue.h"

namespace sbp {

/// The function for a micro-batch that corresponds to one function for the
/// batch.
struct MicroBatchFunction {
  mlir::func::FuncOp batchFunction;
  mlir::func::FuncOp microBatchFunction;
  /// Component of each argument. An argument may be split even if the caller
  /// asked for B. The caller must then split the value that it passes.
  std::vector<Component> argumentComponents;

  /// A result of `batchFunction`.
  struct Result {
    /// Component of the result, and its index among the results of
    /// `microBatchFunction`. Both are meaningless if `deferred` is set.
    Component component;
    unsigned index = 0;
    /// The result as a deferred value, if `microBatchFunction` does not compute
    /// the result but returns terms from which it is computed.
    std::optional<DeferredValue> deferred;
  };
  SmallVector<Result> results;
  /// Index of the first result of `microBatchFunction` that is a term for
  /// deferred values. All results from there on are such terms.
  unsigned firstTerm = 0;
};

/// Writes functions for a micro-batch, and keeps them.
class MicroBatchFunctions {
 public:
  MicroBatchFunctions(Batch batch, mlir::func::FuncOp entry,
                      mlir::SymbolTable& symbols)
      : batch_(batch), entry_(entry), symbols_(symbols) {}

  const Batch& batch() const { return batch_; }
  bool isEntry(mlir::func::FuncOp function) const { return function == entry_; }

  /// Returns the function for a micro-batch that corresponds to `function` with
  /// arguments of the components `arguments`. Writes it on first use. Fails
  /// with a diagnostic at an op that mixes samples. Functions must not be
  /// recursive.
  FailureOr<const MicroBatchFunction*> of(mlir::func::FuncOp function,
                                          std::vector<Component> arguments);

  /// Emits a remark at `batchNorm`, an op of batch normalisation, that it uses
  /// the statistics of a micro-batch. Only the first call emits a remark.
  void remarkOnStatistics(Operation* batchNorm);

  /// Erases all written functions.
  void erase();

 private:
  /// Creates a function with an empty block, the start of a micro-batch version
  /// of `function`.
  mlir::func::FuncOp create(mlir::func::FuncOp function,
                            ArrayRef<Component> arguments);

  Batch batch_;
  mlir::func::FuncOp entry_;
  mlir::SymbolTable& symbols_;
  using Key = std::pair<Operation*, std::vector<Component>>;
  std::map<Key, const MicroBatchFunction*> known_;
  /// The functions, in the order in which their writing began. An element is
  /// null while its function is being written. It stays null if the function
  /// was discarded, to be written again with other arguments.
  std::vector<std::unique_ptr<MicroBatchFunction>> written_;
  bool hasRemarked_ = false;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHFUNCTIONS_H_
