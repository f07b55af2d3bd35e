// Writes one function of a micro-batch (FunctionParts.h), op by op.

#ifndef PASSES_MICROBATCHES_PARTWRITER_H_
#define PASSES_MICROBATCHES_PARTWRITER_H_

#include <optional>
#include <string>

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/IRMapping.h"
#include "passes/microbatches/FunctionParts.h"

namespace sbp {

/// An argument that was passed as B, and has to be split along `dim`.
struct WantedSplit {
  unsigned argument;
  int64_t dim;
};

/// Writes one part of one function; used once.
class PartWriter {
 public:
  /// Writes the function of a micro-batch for `whole` into `part`, which has a
  /// block whose arguments have the components `arguments`. Gets the parts of
  /// called functions from `parts`.
  PartWriter(mlir::func::FuncOp whole, mlir::func::FuncOp part,
             ArrayRef<Component> arguments, FunctionParts& parts,
             const mlir::SymbolTable& symbols);

  /// Writes the function. Fails with a diagnostic at an op that mixes samples.
  /// Fails without a diagnostic if an argument has to be split, which `wanted`
  /// then returns.
  FailureOr<FunctionPart> write();

  std::optional<WantedSplit> wanted() const { return wanted_; }

 private:
  /// The part of a value of the whole batch that a micro-batch holds.
  struct Held {
    enum class Kind {
      Same,   // all of it
      Own,    // the elements of its samples, along `dim`
      Term,   // a term of it
      Later,  // nothing; it is computed later
    };
    Kind kind = Kind::Same;
    int64_t dim = 0;
    Value value;
    LaterValue later = {};
  };

  LogicalResult writeOp(Operation* op);
  LogicalResult writeCall(mlir::func::CallOp call);
  LogicalResult writeReturn(Operation* end, FunctionPart& written);
  /// Writes an op none of whose operands depends on samples.
  void writeSame(Operation* op);
  /// Writes a pin of what the micro-batch holds of its operand.
  void writePin(Operation* pin);
  /// Writes an op that runs over the samples of an operand.
  LogicalResult writeOverSamples(DistributedOpInterface op);
  /// Writes an op that is linear in its terms.
  void writeLinear(Operation* op, const PartialPass& pass);
  /// Records `op`, a function of terms, to be computed later.
  LogicalResult writeLater(Operation* op);

  /// Returns the loop of `op` that runs over the samples of its operands. Fails
  /// with a diagnostic if there is no such loop, or if it cannot be divided.
  FailureOr<int64_t> sampleLoopOf(Operation* op, const LoopNest& nest) const;
  /// Returns the operands of `op` for a micro-batch, if its loop `loop` runs
  /// over samples. Fails with a diagnostic if an operand does not allow that.
  FailureOr<SmallVector<Value>> operandsAlong(Operation* op,
                                              const LoopNest& nest,
                                              int64_t loop);
  /// Builds `op` on `operands` with its loop `loop` running over the samples of
  /// a micro-batch. Returns null, with nothing built, if the op asks for the
  /// offset of these samples.
  Operation* buildAlong(DistributedOpInterface op, const LoopNest& nest,
                        int64_t loop, ValueRange operands);

  /// Returns the elements of the micro-batch's samples, along `dim`, of
  /// `value`, which is the same in all micro-batches. Returns null if an
  /// argument has to be split first.
  Value ownOf(Value value, int64_t dim);
  Value buildOwn(Value value, int64_t dim);
  /// Does the same by rebuilding the op that makes `value`; returns null if
  /// that is not possible.
  Value buildOwnByOp(mlir::OpResult value, int64_t dim);
  /// Returns a term of `value`, which is the same in all micro-batches.
  Value termOf(Value value);
  /// Returns what `value`, of which a micro-batch has a term, would be for a
  /// batch of its samples alone, as batch normalisation needs it. In general
  /// that is the term times the number of micro-batches. Returns null if the
  /// micro-batch has no term.
  Value statisticOf(Value value);
  /// Builds `factor` times `value`, a value of the micro-batch.
  Value times(double factor, Value value);

  /// Returns `value` as an operand of the later op `user`. Fails with a
  /// diagnostic if it holds single samples.
  FailureOr<LaterValue> laterOf(Value value, Operation* user);
  /// Returns `value`, which is the same in all micro-batches, as a later value.
  LaterValue laterSame(Value value);
  /// Returns the sum of `term`, which the part will return, as a later value.
  LaterValue laterTerm(Value term);

  /// Whether `op` is linear in its terms by `pass`.
  bool isLinear(Operation* op, const PartialPass& pass) const;
  /// Whether the micro-batch holds any operand of `op` as `kind`.
  bool isAny(Operation* op, Held::Kind kind) const;
  void hold(Value value, Held::Kind kind, Value own, int64_t dim = 0);
  /// Returns a mapping from the operands of `op` to the values that the micro-
  /// batch holds of them.
  mlir::IRMapping mappingOf(Operation* op) const;
  /// Returns the number of the micro-batch, a tensor<i64>, built once at the
  /// beginning of the function.
  Value microBatchNumber();
  /// Erases the ops of the part whose results are not used.
  void eraseUnused();
  /// Starts an error at `op`, to which the caller adds the reason.
  mlir::InFlightDiagnostic refuse(Operation* op) const;

  mlir::func::FuncOp whole_;
  mlir::func::FuncOp part_;
  std::vector<Component> arguments_;
  FunctionParts& parts_;
  const Batch& batch_;
  const mlir::SymbolTable& symbols_;
  OpBuilder builder_;
  llvm::DenseMap<Value, Held> held_;
  llvm::DenseMap<std::pair<Value, int64_t>, Value> own_;
  llvm::DenseMap<Value, Value> terms_, statistics_;
  llvm::DenseMap<Operation*, std::shared_ptr<const LaterOp>> later_;
  SmallVector<Value> laterTerms_;  // returned after the results
  Value number_;
  std::optional<WantedSplit> wanted_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_PARTWRITER_H_
