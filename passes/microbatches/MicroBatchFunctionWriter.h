// Rewrites one function of the batch for a single micro-batch, op by op. For B,
// S and P see MicroBatchFunctions.h.

#ifndef PASSES_MICROBATCHES_MICROBATCHFUNCTIONWRITER_H_
#define PASSES_MICROBATCHES_MICROBATCHFUNCTIONWRITER_H_

#include <optional>
#include <string>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "passes/microbatches/DeferredLeaves.h"
#include "passes/microbatches/MicroBatchFunctions.h"
#include "passes/microbatches/MicroBatchVersions.h"

namespace sbp {

/// An argument that the caller passes whole (B), although the function needs
/// only the micro-batch's samples of it, along `dim`.
struct WantedSplit {
  unsigned argument;
  int64_t dim;
};

/// Writes the micro-batch version of one function; used once.
class MicroBatchFunctionWriter {
 public:
  /// Writes the micro-batch version of `batchFunction` into
  /// `microBatchFunction`, whose entry block exists already; `arguments` says
  /// how each of its arguments is divided. `functions` writes the versions of
  /// called functions when they are needed.
  MicroBatchFunctionWriter(mlir::func::FuncOp batchFunction,
                           mlir::func::FuncOp microBatchFunction,
                           ArrayRef<Component> arguments,
                           MicroBatchFunctions& functions,
                           const mlir::SymbolTable& symbols);

  /// Writes the function. Fails with a diagnostic at an op that mixes samples.
  /// Fails without a diagnostic if the caller must split an argument; wanted()
  /// then returns that argument.
  FailureOr<MicroBatchFunction> write();

  /// Returns the argument that the caller must split, if write() failed for
  /// that reason.
  std::optional<WantedSplit> wanted() const { return wanted_; }

 private:
  using Version = MicroBatchVersion;

  // Methods that fail emit a diagnostic, unless they set `wanted_`.

  LogicalResult writeOp(Operation* op);
  LogicalResult writeCall(mlir::func::CallOp call);
  /// Writes the return, and fills in the results of `written`. A result of the
  /// entry must be a sum over micro-batches, so a result whose version is
  /// Whole is divided by their number. Fails if the entry returns a value whose
  /// version is Samples.
  LogicalResult writeReturn(Operation* end, MicroBatchFunction& written);
  /// Writes an op all of whose operands have the version Whole.
  void writeWhole(Operation* op);
  /// Clones `pin` for the micro-batch's version of its operand. If the operand
  /// is deferred, builds nothing.
  void writePin(Operation* pin);
  /// Writes an op that has an operand with the version Samples, and none
  /// that is deferred.
  LogicalResult writeOverSamples(DistributedOpInterface op);
  /// Writes an op whose operands are linear in `pass`. Its results are terms.
  void writeLinear(Operation* op, const PartialPass& pass);
  /// Records that `op` is computed once, after all micro-batches
  /// (DeferredValue.h). Fails if the op is not pure or has an operand with
  /// the version Samples.
  LogicalResult writeDeferred(Operation* op);

  /// Returns the loop of `op` that runs over the samples of all operands with
  /// the version Samples. Fails if there is no such loop, or if it cannot be
  /// divided.
  FailureOr<int64_t> sampleLoopOf(Operation* op, const LoopNest& nest) const;
  /// Returns the operands of `op` for a micro-batch. `loop` is the loop of `op`
  /// that runs over samples. Fails if an operand that the loop indexes cannot
  /// be split along it, or if an operand depends on all samples.
  FailureOr<SmallVector<Value>> operandsAlong(Operation* op,
                                              const LoopNest& nest,
                                              int64_t loop);
  /// Builds `op` on `operands`, with `loop` running over the samples of a
  /// micro-batch. Returns null, and erases what it built, if the op asks for
  /// the offset in the batch at which these samples begin.
  FailureOr<Operation*> buildAlong(DistributedOpInterface op,
                                   const LoopNest& nest, int64_t loop,
                                   ValueRange operands);

  /// Returns the elements of `value`, whose version is Whole, that belong to
  /// the micro-batch's samples along `dim`. Fails, and sets `wanted_`, if the
  /// caller must split an argument.
  FailureOr<Value> samplesOf(Value value, int64_t dim);
  /// Builds what samplesOf() returns; does not look for one built earlier.
  FailureOr<Value> buildSamples(Value value, int64_t dim);
  /// Does what buildSamples() does by building the op of `value` again, over
  /// the micro-batch's samples alone. Returns null if that is not possible.
  FailureOr<Value> buildSamplesByOp(mlir::OpResult value, int64_t dim);
  /// Returns `value`, whose version is Whole, divided by the number of
  /// micro-batches: the terms then add up to `value`.
  Value termOf(Value value);
  /// Returns the mean or variance over this micro-batch only, for batch
  /// normalisation. `value` is the mean or variance over the batch. Its op is
  /// built again over the micro-batch where possible; otherwise the term is
  /// multiplied by the number of micro-batches. Returns null if the version of
  /// `value` is no term.
  Value statisticOf(Value value);
  /// Builds `factor` * `value`.
  Value scaled(double factor, Value value);

  /// Returns `value` as an operand of the deferred op `user`. Fails if the
  /// version of `value` is Samples.
  FailureOr<DeferredValue> deferredOf(Value value, Operation* user);
  /// Returns the index of the micro-batch, a tensor<i64>, built once at the
  /// beginning of the function.
  Value microBatchIndex();
  /// Erases the ops of the written function whose results are not used.
  void eraseUnused();
  /// Starts an error at `op`, to which the caller adds the reason.
  mlir::InFlightDiagnostic emitRefusal(Operation* op) const;

  mlir::func::FuncOp batchFunction_;
  mlir::func::FuncOp microBatchFunction_;
  std::vector<Component> arguments_;
  MicroBatchFunctions& functions_;
  const Batch& batch_;
  const mlir::SymbolTable& symbols_;
  OpBuilder builder_;
  MicroBatchVersions versions_;
  DeferredLeaves leaves_;  // the terms are returned after the results
  // Values that samplesOf(), termOf() and statisticOf() have returned, by their
  // argument.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> samples_;
  llvm::DenseMap<Value, Value> terms_, statistics_;
  Value microBatchIndex_;
  std::optional<WantedSplit> wanted_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHFUNCTIONWRITER_H_
