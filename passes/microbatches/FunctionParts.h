// The functions of a micro-batch, beside those of the batch.
//
// A function is written for a micro-batch as a rank's program is made from a
// placed one: the micro-batches are an axis, and along it a value of the batch
// is, in the words of placements (dialects/sbp/Algebra.h),
//
//   S(d)    split: a micro-batch has the elements of its own samples
//   B       the same in every micro-batch: a weight, a mask, a constant
//   P(sum)  a term: the value is the sum of those of all micro-batches
//
// and an op is computed in parts if its loops have a signature for what it is
// given. What lies as B is split where an op wants it so. An op that has no
// signature mixes samples: the batch cannot be divided, which is an error at
// the op. Only a function of terms alone need not be computed in parts: it is
// left for later (LaterValue.h).
//
// A function that is called with arguments that lie otherwise has several
// parts.

#ifndef PASSES_MICROBATCHES_FUNCTIONPARTS_H_
#define PASSES_MICROBATCHES_FUNCTIONPARTS_H_

#include <map>
#include <optional>
#include <vector>

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/microbatches/Batch.h"
#include "passes/microbatches/LaterValue.h"

namespace sbp {

/// A function of a micro-batch.
struct FunctionPart {
  mlir::func::FuncOp whole;
  mlir::func::FuncOp part;
  /// Component of each argument. An argument may be split though its caller
  /// asked for B: the caller then splits it.
  std::vector<Component> arguments;

  /// A result of `whole`.
  struct Result {
    /// Index among the results of `part`, and how that result lies. Both mean
    /// nothing if `later` is set.
    Component component;
    unsigned index = 0;
    /// Set if `part` does not compute the result, but returns terms of which it
    /// is made.
    std::optional<LaterValue> later;
  };
  SmallVector<Result> results;
  /// The index of the first term that `part` returns for later values; all
  /// further results are such terms.
  unsigned firstTerm = 0;
};

class FunctionParts {
 public:
  FunctionParts(Batch batch, mlir::func::FuncOp entry,
                mlir::SymbolTable& symbols)
      : batch_(batch), entry_(entry), symbols_(symbols) {}

  const Batch& batch() const { return batch_; }
  bool isEntry(mlir::func::FuncOp function) const { return function == entry_; }

  /// The part of `function` for arguments that lie as `arguments`, written when
  /// it is first asked for. Fails with a diagnostic at an op that mixes
  /// samples. Calls must not recur.
  FailureOr<const FunctionPart*> of(mlir::func::FuncOp function,
                                    std::vector<Component> arguments);

  /// The functions that have parts, callers first.
  SmallVector<mlir::func::FuncOp> wholes() const;

  /// Remarks at the first `batchNorm`, an op of batch normalisation, that it
  /// takes statistics of a micro-batch.
  void sayStatistics(Operation* batchNorm);

  /// Erases all that was written.
  void erase();

 private:
  /// An empty function for a part of `function`.
  mlir::func::FuncOp create(mlir::func::FuncOp function,
                            ArrayRef<Component> arguments);

  Batch batch_;
  mlir::func::FuncOp entry_;
  mlir::SymbolTable& symbols_;
  using Key = std::pair<Operation*, std::vector<Component>>;
  std::map<Key, const FunctionPart*> known_;
  /// Parts in the order in which writing them began, so callers first. An entry
  /// is null while its function is being written, or if it was written again.
  std::vector<std::unique_ptr<FunctionPart>> parts_;
  bool hasSaidStatistics_ = false;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_FUNCTIONPARTS_H_
