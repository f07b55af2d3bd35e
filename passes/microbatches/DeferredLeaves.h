// The leaves of the deferred values (DeferredValue.h) of one function, while
// its function for a micro-batch is written.

#ifndef PASSES_MICROBATCHES_DEFERREDLEAVES_H_
#define PASSES_MICROBATCHES_DEFERREDLEAVES_H_

#include <memory>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "passes/microbatches/DeferredValue.h"

namespace sbp {

/// Makes deferred values from terms of a micro-batch, and from values that are
/// the same in all micro-batches.
class DeferredLeaves {
 public:
  /// Returns the sum of `term` over all micro-batches. If `term` has no number
  /// yet, it gets the next one.
  DeferredValue sumOf(Value term);

  /// Returns the deferred value that equals `value`, a value of the function
  /// for the whole batch that does not depend on samples. If `value` is the
  /// result of an op, that op is computed again after all micro-batches.
  DeferredValue whole(Value value);

  /// Returns the terms with numbers, in ascending order.
  ArrayRef<Value> terms() const { return terms_; }

 private:
  SmallVector<Value> terms_;
  llvm::DenseMap<Operation*, std::shared_ptr<const DeferredOp>> ops_;
};

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_DEFERREDLEAVES_H_
