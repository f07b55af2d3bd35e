// Rewrites one function of the batch for a single micro-batch, op by op. For B,
// S and P see MicroBatchFunctions.h.

#ifndef PASSES_MICROBATCHES_MICROBATCHFUNCTIONWRITER_H_
#define PASSES_MICROBATCHES_MICROBATCHFUNCTIONWRITER_H_

#include <optional>
#include <string>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/IRMapping.h"
#include "passes/microbatches/MicroBatchFunctions.h"

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
  /// The micro-batch's version of a value of the whole batch.
  struct Version {
    enum class Kind {
      Whole,     // B: the whole value
      Samples,   // S(dim): the elements of the micro-batch's samples
      Term,      // P(sum): a term; the value is the sum over all micro-batches
      Deferred,  // nothing: the value is computed after all micro-batches
    };
    Kind kind = Kind::Whole;
    int64_t dim = 0;              // only for Samples
    Value value;                  // null for Deferred
    DeferredValue deferred = {};  // only for Deferred
  };

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
  /// Writes an op for which isLinear(op, pass) is true. Its results are terms.
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
  Operation* buildAlong(DistributedOpInterface op, const LoopNest& nest,
                        int64_t loop, ValueRange operands);

  /// Returns the elements of `value`, whose version is Whole, that belong to
  /// the micro-batch's samples along `dim`. Returns null, and sets `wanted_`,
  /// if the caller must split an argument.
  Value samplesOf(Value value, int64_t dim);
  /// Builds what samplesOf() returns; does not look for one built earlier.
  Value buildSamples(Value value, int64_t dim);
  /// Does what buildSamples() does by building the op of `value` again, over
  /// the micro-batch's samples alone. Returns null if that is not possible, or
  /// if it sets `wanted_`.
  Value buildSamplesByOp(mlir::OpResult value, int64_t dim);
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
  /// Returns `value`, whose version is Whole, as a DeferredValue.
  DeferredValue deferredWhole(Value value);
  /// Makes `term` an extra result of the function, unless it is one already.
  /// Returns the sum of `term` over all micro-batches.
  DeferredValue deferredTerm(Value term);

  /// Whether `op` on the micro-batch's versions of its operands yields terms of
  /// its results, because the op is linear in the operands of `pass` taken
  /// together. All terms must be operands of `pass`, and all other operands
  /// have the version Whole; those of `pass` must be floats, as termOf()
  /// divides them.
  bool isLinear(Operation* op, const PartialPass& pass) const;
  /// Whether some operand of `op` has a version of `kind`.
  bool anyOperandIs(Operation* op, Version::Kind kind) const;
  /// Records that `version` is the micro-batch's version of `value`. `dim`
  /// matters only for Samples.
  void record(Value value, Version::Kind kind, Value version, int64_t dim = 0);
  /// Returns a mapping from the operands of `op` to the micro-batch's versions
  /// of them.
  mlir::IRMapping mappingOf(Operation* op) const;
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
  llvm::DenseMap<Value, Version> versions_;
  // Values that samplesOf(), termOf(), statisticOf() and deferredWhole() have
  // returned, by their argument.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> samples_;
  llvm::DenseMap<Value, Value> terms_, statistics_;
  llvm::DenseMap<Operation*, std::shared_ptr<const DeferredOp>> deferred_;
  SmallVector<Value> deferredTerms_;  // returned after the results
  Value microBatchIndex_;
  std::optional<WantedSplit> wanted_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHFUNCTIONWRITER_H_
