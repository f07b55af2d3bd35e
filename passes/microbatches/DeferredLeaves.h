// The leaves from which the deferred values of one function are computed, while
// the function is written for a micro-batch.

#ifndef PASSES_MICROBATCHES_DEFERREDLEAVES_H_
#define PASSES_MICROBATCHES_DEFERREDLEAVES_H_

#include <memory>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "passes/microbatches/DeferredValue.h"

namespace sbp {

/// Makes DeferredValues of terms of a micro-batch, and of values that all
/// micro-batches have alike.
class DeferredLeaves {
 public:
  /// Returns the sum of `term` over all micro-batches. Numbers `term` unless it
  /// has a number already.
  DeferredValue sumOf(Value term);

  /// Returns `value` of the whole batch's function, which depends on no
  /// samples: an argument, or the result of an op that is computed once more
  /// after all micro-batches.
  DeferredValue whole(Value value);

  /// Returns the terms that have numbers, in the order of these.
  ArrayRef<Value> terms() const { return terms_; }

 private:
  SmallVector<Value> terms_;
  llvm::DenseMap<Operation*, std::shared_ptr<const DeferredOp>> ops_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_DEFERREDLEAVES_H_
