// A value that is computed once, after all micro-batches.
//
// For example, the mean over the valid labels is a quotient of two sums over
// samples. Neither sum is complete before the last micro-batch has added its
// term, so the division must be deferred:
//
//   %sum = nn.reduce sum %losses over [0]    a term of a micro-batch
//   %count = nn.reduce sum %valid over [0]   a term
//   %mean = nn.div %sum, %count              deferred: from the terms' sums
//
// A DeferredValue is a graph of ops of the whole batch's program. Its leaves
// are arguments of a function, and sums of terms. Each function for a
// micro-batch returns its terms, numbered from 0 in the order in which they are
// returned.

#ifndef PASSES_MICROBATCHES_DEFERREDVALUE_H_
#define PASSES_MICROBATCHES_DEFERREDVALUE_H_

#include <functional>
#include <memory>

#include "dialects/support/LLVM.h"

namespace sbp {

struct DeferredOp;

/// A node of the graph.
struct DeferredValue {
  enum class Kind {
    Op,        // result `index` of `op`
    Term,      // the sum of term `index` of the function over all micro-batches
    Argument,  // argument `index` of the function, the same in all
               // micro-batches
  };
  Kind kind = Kind::Op;
  int64_t index = 0;
  std::shared_ptr<const DeferredOp> op;

  static DeferredValue term(int64_t index) {
    return {Kind::Term, index, nullptr};
  }
  static DeferredValue argument(int64_t index) {
    return {Kind::Argument, index, nullptr};
  }
};

/// An op that is computed after all micro-batches, and its operands.
struct DeferredOp {
  Operation* op;
  SmallVector<DeferredValue> operands;
};

/// Returns `value` with each leaf, a term or an argument, replaced by the
/// result of `leaf` for it. This translates a value of a called function into a
/// value of the caller.
DeferredValue translateToCaller(
    const DeferredValue& value,
    const std::function<DeferredValue(const DeferredValue&)>& leaf);

/// Searches the ops in the graph of `value` for an operand that is the sum of
/// term `index`. Returns one, or null if there is none.
mlir::OpOperand* findUseOfTerm(const DeferredValue& value, int64_t index);

/// Builds `value` at `builder`. `sums[i]` is the sum of term i over all
/// micro-batches, and `arguments[i]` is argument i of the entry.
Value buildDeferred(OpBuilder& builder, const DeferredValue& value,
                    ValueRange sums, ValueRange arguments);

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_DEFERREDVALUE_H_
