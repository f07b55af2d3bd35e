// The versions that a micro-batch has of values of the whole batch.
// MicroBatchFunctions.h defines B, S and P.

#ifndef PASSES_MICROBATCHES_MICROBATCHVERSIONS_H_
#define PASSES_MICROBATCHES_MICROBATCHVERSIONS_H_

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/LoopNest.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/IRMapping.h"
#include "passes/microbatches/DeferredValue.h"

namespace sbp {

/// The version that a micro-batch has of a value of the whole batch.
struct MicroBatchVersion {
  enum class Kind {
    Whole,     // B: the whole value
    Samples,   // S(dim): the elements of the micro-batch's samples
    Term,      // P(sum): a term; the value is the sum over all micro-batches
    Deferred,  // none: the value is computed after all micro-batches
  };
  Kind kind = Kind::Whole;
  int64_t dim = 0;              // only for Samples
  Value value;                  // null for Deferred
  DeferredValue deferred = {};  // only for Deferred

  static MicroBatchVersion whole(Value value) {
    return {Kind::Whole, 0, value};
  }
  static MicroBatchVersion samples(Value value, int64_t dim) {
    return {Kind::Samples, dim, value};
  }
  static MicroBatchVersion term(Value value) { return {Kind::Term, 0, value}; }
  static MicroBatchVersion deferTo(DeferredValue deferred) {
    return {Kind::Deferred, 0, {}, std::move(deferred)};
  }

  /// Returns the version for a value of the whole batch that is divided as
  /// `component` says. `value` is what a micro-batch has of it.
  static MicroBatchVersion of(const Component& component, Value value);

  /// Returns how the value of the whole batch is divided. The version must not
  /// be Deferred.
  Component component() const;
};

/// The versions of the values of one function that have been written so far.
class MicroBatchVersions {
 public:
  /// Returns the version of `value`, which must have been recorded.
  const MicroBatchVersion& of(Value value) const {
    return versions_.find(value)->second;
  }

  /// Records the version of `value`.
  void record(Value value, MicroBatchVersion version) {
    versions_[value] = std::move(version);
  }

  /// Whether some operand of `op` has a version of `kind`.
  bool anyOperandIs(Operation* op, MicroBatchVersion::Kind kind) const;

  /// Whether all operands of `op` have versions of `kind`.
  bool allOperandsAre(Operation* op, MicroBatchVersion::Kind kind) const;

  /// Whether `op`, applied to the versions of its operands, yields terms of its
  /// results. It does if it is linear in the operands of `pass` together, all
  /// terms are operands of `pass`, and all other operands have the version
  /// Whole. Operands of `pass` with the version Whole must be floats, since the
  /// caller divides them by the number of micro-batches.
  bool areLinearIn(Operation* op, const PartialPass& pass) const;

  /// Returns a mapping from the operands of `op` to their versions. No operand
  /// may be deferred.
  mlir::IRMapping mappingOf(Operation* op) const;

 private:
  llvm::DenseMap<Value, MicroBatchVersion> versions_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHVERSIONS_H_
