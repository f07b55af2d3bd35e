// Rewrites one function of the batch for a single micro-batch, op by op. For B,
// S and P see FunctionParts.h.

#ifndef PASSES_MICROBATCHES_MICROBATCHFUNCTIONWRITER_H_
#define PASSES_MICROBATCHES_MICROBATCHFUNCTIONWRITER_H_

#include <optional>
#include <string>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/IRMapping.h"
#include "passes/microbatches/FunctionParts.h"

namespace sbp {

/// An argument that the caller passed undivided (B), although the function
/// needs only the micro-batch's samples along `dim`.
struct WantedSplit {
  unsigned argument;
  int64_t dim;
};

/// Writes the micro-batch version of one function; used once.
class MicroBatchFunctionWriter {
 public:
  /// Writes the micro-batch version of `whole` into `part`, whose entry block
  /// exists already; `arguments` says how each of its arguments is divided.
  /// `parts` has the versions of called functions.
  MicroBatchFunctionWriter(mlir::func::FuncOp whole, mlir::func::FuncOp part,
                           ArrayRef<Component> arguments, FunctionParts& parts,
                           const mlir::SymbolTable& symbols);

  /// Writes the function. Fails with a diagnostic at an op that mixes samples.
  /// Fails without a diagnostic if an argument has to be split, which `wanted`
  /// then returns.
  FailureOr<FunctionPart> write();

  std::optional<WantedSplit> wanted() const { return wanted_; }

 private:
  /// The micro-batch's version of a value of the whole batch.
  struct Held {
    enum class Kind {
      Whole,     // B: the whole value
      Samples,   // S(dim): the elements of the micro-batch's samples
      Term,      // P(sum): a term; the terms of all micro-batches add up to it
      Deferred,  // nothing: the value is computed after all micro-batches
    };
    Kind kind = Kind::Whole;
    int64_t dim = 0;              // only for Samples
    Value value;                  // null for Deferred
    DeferredValue deferred = {};  // only for Deferred
  };

  LogicalResult writeOp(Operation* op);
  LogicalResult writeCall(mlir::func::CallOp call);
  /// Writes the return and the results of `written`. The results of the entry
  /// must be sums over micro-batches: an undivided result is divided by the
  /// number of micro-batches; fails with a diagnostic at one that is split.
  LogicalResult writeReturn(Operation* end, FunctionPart& written);
  /// Writes an op whose operands are all held as Whole.
  void writeWhole(Operation* op);
  /// Clones `pin` for the micro-batch's version of its operand (nothing to
  /// clone if the operand is deferred).
  void writePin(Operation* pin);
  /// Writes an op some operand of which is split along samples.
  LogicalResult writeOverSamples(DistributedOpInterface op);
  /// Writes an op whose results are terms by `pass` (isLinear).
  void writeLinear(Operation* op, const PartialPass& pass);
  /// Records `op`, a function of terms, to be computed once, after all
  /// micro-batches (DeferredValue.h).
  LogicalResult writeDeferred(Operation* op);

  /// Returns the loop of `op` that runs over the samples of its operands. Fails
  /// with a diagnostic if there is no such loop, or if it cannot be divided.
  FailureOr<int64_t> sampleLoopOf(Operation* op, const LoopNest& nest) const;
  /// Returns the operands of `op` for a micro-batch. `loop` is the loop of `op`
  /// that runs over samples. Fails with a diagnostic if an operand does not
  /// allow that.
  FailureOr<SmallVector<Value>> operandsAlong(Operation* op,
                                              const LoopNest& nest,
                                              int64_t loop);
  /// Builds `op` on `operands`, with `loop` running over the samples of a
  /// micro-batch. Returns null, with nothing built, if the op asks at which
  /// offset in the batch these samples begin.
  Operation* buildAlong(DistributedOpInterface op, const LoopNest& nest,
                        int64_t loop, ValueRange operands);

  /// Returns the elements of the micro-batch's samples, along `dim`, of
  /// `value`, which is held as Whole. Returns null if an argument has to be
  /// split first.
  Value samplesOf(Value value, int64_t dim);
  /// Builds what samplesOf() returns; does not look for one built earlier.
  Value buildSamples(Value value, int64_t dim);
  /// Returns the same as buildSamples(), by building again, over the samples,
  /// the op that makes `value`. Returns null if that is not possible.
  Value buildSamplesByOp(mlir::OpResult value, int64_t dim);
  /// Returns `value`, which is held as Whole, divided by the number of
  /// micro-batches: the terms then add up to `value`.
  Value termOf(Value value);
  /// Returns the mean or variance over this micro-batch only, for batch
  /// normalisation. `value` is the mean or variance over the batch. Its op is
  /// built again over the micro-batch where possible; otherwise the term is
  /// multiplied by the number of micro-batches. Returns null if `value` is not
  /// held as a term.
  Value statisticOf(Value value);
  /// Builds `factor` * `value`.
  Value scaled(double factor, Value value);

  /// Returns `value` as an operand of the deferred op `user`. Fails with a
  /// diagnostic if `value` is split along samples.
  FailureOr<DeferredValue> deferredOf(Value value, Operation* user);
  /// Returns `value`, which is held as Whole, as a DeferredValue.
  DeferredValue deferredWhole(Value value);
  /// Makes `term` an extra result of the function, if it is none yet, and
  /// returns its sum over all micro-batches as a DeferredValue.
  DeferredValue deferredTerm(Value term);

  /// Whether, by `pass`, the results of `op` are terms if the operands that are
  /// terms stay terms.
  bool isLinear(Operation* op, const PartialPass& pass) const;
  /// Whether the micro-batch holds some operand of `op` as `kind`.
  bool anyOperandIs(Operation* op, Held::Kind kind) const;
  /// Records that the micro-batch holds `value`, of this kind, of `whole`.
  void hold(Value whole, Held::Kind kind, Value value, int64_t dim = 0);
  /// Returns a mapping from the operands of `op` to the values that the micro-
  /// batch holds of them.
  mlir::IRMapping mappingOf(Operation* op) const;
  /// Returns the index of the micro-batch, a tensor<i64>, built once at the
  /// beginning of the function.
  Value microBatchIndex();
  /// Erases the ops of the part whose results are not used.
  void eraseUnused();
  /// Starts an error at `op`, to which the caller adds the reason.
  mlir::InFlightDiagnostic emitRefusal(Operation* op) const;

  mlir::func::FuncOp whole_;
  mlir::func::FuncOp part_;
  std::vector<Component> arguments_;
  FunctionParts& parts_;
  const Batch& batch_;
  const mlir::SymbolTable& symbols_;
  OpBuilder builder_;
  llvm::DenseMap<Value, Held> held_;
  llvm::DenseMap<std::pair<Value, int64_t>, Value> samples_;
  llvm::DenseMap<Value, Value> terms_, statistics_;
  llvm::DenseMap<Operation*, std::shared_ptr<const DeferredOp>> deferred_;
  SmallVector<Value> deferredTerms_;  // returned after the results
  Value microBatchIndex_;
  std::optional<WantedSplit> wanted_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHFUNCTIONWRITER_H_
