// What a micro-batch has of each value of the whole batch. For B, S and P see
// MicroBatchFunctions.h.

#ifndef PASSES_MICROBATCHES_MICROBATCHVERSIONS_H_
#define PASSES_MICROBATCHES_MICROBATCHVERSIONS_H_

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/LoopNest.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/IRMapping.h"
#include "passes/microbatches/DeferredValue.h"

namespace sbp {

/// The micro-batch's version of a value of the whole batch.
struct MicroBatchVersion {
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

  /// Returns the version of which a micro-batch has `value` if `component` says
  /// how the value of the whole batch is divided.
  static MicroBatchVersion of(const Component& component, Value value);

  /// Returns how the value of the whole batch is divided. The version must not
  /// be deferred.
  Component component() const;
};

/// The versions of the values of one function, as far as it has been written.
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

  /// Whether `op` on the versions of its operands yields terms of its results,
  /// as it is linear in the operands of `pass` taken together. All terms must
  /// be operands of `pass`, and all other operands have the version Whole.
  /// Operands of `pass` with the version Whole must be floats: the caller
  /// divides them by the number of micro-batches.
  bool areLinearIn(Operation* op, const PartialPass& pass) const;

  /// Returns a mapping from the operands of `op` to their versions. None may be
  /// deferred.
  mlir::IRMapping mappingOf(Operation* op) const;

 private:
  llvm::DenseMap<Value, MicroBatchVersion> versions_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_MICROBATCHVERSIONS_H_
