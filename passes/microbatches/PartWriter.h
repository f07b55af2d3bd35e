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

/// An argument that was given as B, and has to be split along `dim`.
struct WantedSplit {
  unsigned argument;
  int64_t dim;
};

class PartWriter {
 public:
  /// Writes what a micro-batch has of `whole` to `part`, which has a block with
  /// arguments that lie as `arguments`. Asks `parts` for what is called.
  PartWriter(mlir::func::FuncOp whole, mlir::func::FuncOp part,
             ArrayRef<Component> arguments, FunctionParts& parts,
             const mlir::SymbolTable& symbols);

  /// Fails with a diagnostic at an op that mixes samples; or without one, when
  /// an argument has to be split, which `wanted` then says.
  FailureOr<FunctionPart> write();

  std::optional<WantedSplit> wanted() const { return wanted_; }

 private:
  /// The part of a value of the whole that a micro-batch has.
  struct Held {
    enum class Kind {
      Same,   // all of it
      Own,    // the elements of its samples, along `dim`
      Term,   // a term of it
      Later,  // nothing yet
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
  void writePin(Operation* pin);
  /// Writes an op that runs over the samples of an operand.
  LogicalResult writeOverSamples(DistributedOpInterface op);
  /// Writes an op that is linear in its terms.
  void writeLinear(Operation* op, const PartialPass& pass);
  /// Leaves `op`, a function of terms, for later.
  LogicalResult writeLater(Operation* op);

  /// The loop of `op` that runs over the samples of its operands.
  FailureOr<int64_t> sampleLoopOf(Operation* op, const LoopNest& nest) const;
  /// The operands of `op` whose loop `loop` runs over the samples of a
  /// micro-batch.
  FailureOr<SmallVector<Value>> operandsAlong(Operation* op,
                                              const LoopNest& nest,
                                              int64_t loop);
  /// Builds `op` on `operands`, its loop `loop` running over the samples of a
  /// micro-batch. Returns null, with nothing built, if it asks which these are.
  Operation* buildAlong(DistributedOpInterface op, const LoopNest& nest,
                        int64_t loop, ValueRange operands);

  /// The elements that the micro-batch's samples have of `value`, which is the
  /// same in all micro-batches, along `dim`. Null if an argument has to be
  /// split first.
  Value ownOf(Value value, int64_t dim);
  Value buildOwn(Value value, int64_t dim);
  /// The same, by the op that makes `value`; null if it cannot.
  Value buildOwnByOp(mlir::OpResult value, int64_t dim);
  /// A term of `value`, which is the same in all micro-batches.
  Value termOf(Value value);
  /// The value that `value`, of which a micro-batch has a term, would have for
  /// a batch of its samples alone, as batch normalisation wants it: of a term,
  /// as many times that as there are micro-batches. Null if it has no term.
  Value statisticOf(Value value);
  /// Builds `factor` times `value`, of a micro-batch.
  Value times(double factor, Value value);

  FailureOr<LaterValue> laterOf(Value value, Operation* user);
  /// Returns `value`, which is the same in all micro-batches, as computed
  /// later.
  LaterValue laterSame(Value value);
  LaterValue laterTerm(Value term);

  /// Whether the terms of `op` pass through it as `pass` says.
  bool isLinear(Operation* op, const PartialPass& pass) const;
  bool isAny(Operation* op, Held::Kind kind) const;
  void hold(Value value, Held::Kind kind, Value own, int64_t dim = 0);
  mlir::IRMapping mappingOf(Operation* op) const;
  Value numberOfPart();
  void eraseUnused();
  /// An error at `op` that a reason is to follow.
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
  SmallVector<Value> laterTerms_;  // to be returned
  Value number_;
  std::optional<WantedSplit> wanted_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_PARTWRITER_H_
