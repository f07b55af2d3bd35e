// Writes the function for a single micro-batch from a function for the batch,
// op by op. MicroBatchFunctions.h defines B, S and P.

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

/// An argument that the caller passes whole (B) although the function needs
/// only the elements of the micro-batch's samples along `dim`.
struct WantedSplit {
  unsigned argument;
  int64_t dim;
};

/// Writes the micro-batch version of one function. Use each object once.
class MicroBatchFunctionWriter {
 public:
  /// Prepares to write the micro-batch version of `batchFunction` into
  /// `microBatchFunction`, which must have an entry block. `arguments` says how
  /// each argument is divided. `functions` provides the versions of called
  /// functions.
  MicroBatchFunctionWriter(mlir::func::FuncOp batchFunction,
                           mlir::func::FuncOp microBatchFunction,
                           ArrayRef<Component> arguments,
                           MicroBatchFunctions& functions,
                           const mlir::SymbolTable& symbols);

  /// Writes the function. Fails with a diagnostic at an op that mixes samples.
  /// Fails without a diagnostic if the caller must split an argument, which
  /// wanted() then returns.
  FailureOr<MicroBatchFunction> write();

  /// Returns the argument that the caller must split; nullopt if write() did
  /// not fail for that reason.
  std::optional<WantedSplit> wanted() const { return wanted_; }

 private:
  using Version = MicroBatchVersion;

  // Methods that fail emit a diagnostic, unless they set `wanted_`.

  LogicalResult writeOp(Operation* op);
  LogicalResult writeCall(mlir::func::CallOp call);
  /// Writes the return, and fills in the results of `written`. A result of the
  /// entry must be a sum over micro-batches, so a result with the version Whole
  /// is divided by the number of micro-batches. Fails if the entry returns a
  /// value with the version Samples.
  LogicalResult writeReturn(Operation* end, MicroBatchFunction& written);
  /// Writes an op whose operands all have the version Whole.
  void writeWhole(Operation* op);
  /// Clones `pin` for the micro-batch's version of its operand. If the operand
  /// is deferred, builds no op.
  void writePin(Operation* pin);
  /// Writes an op with an operand of version Samples. No operand may be
  /// deferred.
  LogicalResult writeOverSamples(DistributedOpInterface op);
  /// Writes an op that is linear in the operands of `pass` (PartialPass in
  /// dialects/sbp/LoopNest.h). Its results are terms.
  void writeLinear(Operation* op, const PartialPass& pass);
  /// Records that `op` is computed once, after all micro-batches
  /// (DeferredValue.h). Fails if the op is not pure or has an operand with
  /// the version Samples.
  LogicalResult writeDeferred(Operation* op);

  /// Returns the loop of `op` that runs over the samples of all operands with
  /// the version Samples. Fails if there is no such loop, or if the loop cannot
  /// be divided.
  FailureOr<int64_t> sampleLoopOf(Operation* op, const LoopNest& nest) const;
  /// Returns the operands of `op` for a micro-batch. `loop` is the loop of `op`
  /// that runs over samples. Fails if an operand that is indexed by `loop`
  /// cannot be split along it, or if another operand depends on all samples.
  FailureOr<SmallVector<Value>> operandsAlong(Operation* op,
                                              const LoopNest& nest,
                                              int64_t loop);
  /// Builds `op` on `operands`, where `loop` runs over the samples of a
  /// micro-batch. If the op asks for the offset of these samples in the batch,
  /// returns null and erases the op.
  FailureOr<Operation*> buildAlong(DistributedOpInterface op,
                                   const LoopNest& nest, int64_t loop,
                                   ValueRange operands);

  /// Returns the elements of `value`, whose version is Whole, that belong to
  /// the micro-batch's samples along `dim`. Fails, and sets `wanted_`, if the
  /// caller must split an argument.
  FailureOr<Value> samplesOf(Value value, int64_t dim);
  /// Builds the result of samplesOf(), even if it was built before.
  FailureOr<Value> buildSamples(Value value, int64_t dim);
  /// Builds the result of buildSamples() by building the op of `value` again
  /// for the micro-batch's samples. Returns null if that is not possible.
  FailureOr<Value> buildSamplesByOp(mlir::OpResult value, int64_t dim);
  /// Returns `value`, whose version is Whole, divided by the number of
  /// micro-batches. So the sum of the terms is `value`.
  Value termOf(Value value);
  /// Returns the mean or variance over this micro-batch, for batch
  /// normalisation. `value` is the mean or variance over the batch. If
  /// possible, builds the op of `value` again for the micro-batch. Otherwise,
  /// multiplies the term by the number of micro-batches. Returns null if the
  /// version of `value` is not Term.
  Value statisticOf(Value value);
  /// Builds `factor` * `value`.
  Value scaled(double factor, Value value);

  /// Returns `value` as an operand of the deferred op `user`. Fails if the
  /// version of `value` is Samples.
  FailureOr<DeferredValue> deferredOf(Value value, Operation* user);
  /// Returns the index of the micro-batch, a tensor<i64>. It is built once, at
  /// the beginning of the function.
  Value microBatchIndex();
  /// Erases the ops of the written function whose results are not used.
  void eraseUnused();
  /// Starts an error at `op`. The caller must add the reason.
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
  // Results of samplesOf(), termOf() and statisticOf(), by their argument.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> samples_;
  llvm::DenseMap<Value, Value> terms_, statistics_;
  Value microBatchIndex_;
  std::optional<WantedSplit> wanted_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHFUNCTIONWRITER_H_
