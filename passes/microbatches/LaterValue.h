// A value that is computed once, after all micro-batches.
//
// For example, the mean over labels that count is a quotient of two sums over
// samples. Neither sum is complete before the last micro-batch has added its
// term, so the division has to wait:
//
//   %sum = nn.reduce sum %losses over [0]    a term of a micro-batch
//   %count = nn.reduce sum %valid over [0]   a term
//   %mean = nn.div %sum, %count              later, from the sums of the terms
//
// A LaterValue is a graph of ops of the whole batch's program. Its leaves are
// terms that a function returns, and arguments of the function.

#ifndef PASSES_MICROBATCHES_LATERVALUE_H_
#define PASSES_MICROBATCHES_LATERVALUE_H_

#include <functional>
#include <memory>

#include "dialects/support/LLVM.h"

namespace sbp {

struct LaterOp;

/// A node of the graph.
struct LaterValue {
  enum class From {
    Op,        // result `index` of `op`
    Term,      // the sum of term `index` of the function over all micro-batches
    Argument,  // argument `index` of the function, the same in all
               // micro-batches
  };
  From from = From::Op;
  int64_t index = 0;
  std::shared_ptr<const LaterOp> op;

  static LaterValue term(int64_t index) { return {From::Term, index, nullptr}; }
  static LaterValue argument(int64_t index) {
    return {From::Argument, index, nullptr};
  }
};

/// An op to be computed later, and its operands.
struct LaterOp {
  Operation* op;
  SmallVector<LaterValue> operands;
};

/// Translates `value` from a function to its caller: replaces each term and
/// argument by the result of `leaf`.
LaterValue seenByCaller(
    const LaterValue& value,
    const std::function<LaterValue(const LaterValue&)>& leaf);

/// Returns an operand of an op of `value` that is term `index`; null if there
/// is none.
mlir::OpOperand* findUseOfTerm(const LaterValue& value, int64_t index);

/// Builds `value` from the sums of all terms and the arguments of the entry.
Value buildLater(OpBuilder& builder, const LaterValue& value, ValueRange sums,
                 ValueRange arguments);

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_LATERVALUE_H_
