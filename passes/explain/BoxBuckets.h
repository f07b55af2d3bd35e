// The buckets in which the small collectives of a function move, derived from
// its boxes.
//
// Buckets are filled in program order (codegen/plan/FillBuckets.h), so the
// boxed form determines which tensors a bucket has.

#ifndef PASSES_EXPLAIN_BOXBUCKETS_H_
#define PASSES_EXPLAIN_BOXBUCKETS_H_

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "dialects/sbp/Sbp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/boxing/GroupTransitions.h"

namespace sbp {

/// Assigns each step of the boxes in one function to a bucket.
class BoxBuckets {
 public:
  /// Assigns the steps of all boxes in `function`. Boxes that cross from one
  /// group to another are left out.
  BoxBuckets(mlir::func::FuncOp function, const GroupTransitions& transitions);

  /// Returns the sum of bytes of all tensors in the bucket of step number
  /// `step` of `box`. Each tensor counts with its bytes on the rank that holds
  /// most of it. A tensor that moves alone, or in a local step, has a bucket of
  /// its own.
  double bytesOf(BoxOp box, size_t step) const;

 private:
  std::vector<double> bytes_;  // by bucket
  std::map<std::pair<Operation*, size_t>, size_t> buckets_;
};

}  // namespace sbp

#endif  // PASSES_EXPLAIN_BOXBUCKETS_H_
