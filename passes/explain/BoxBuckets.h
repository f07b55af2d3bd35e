// The buckets in which the small collectives of a function move, derived from
// its boxes.
//
// Buckets are filled in program order (codegen/plan/FillBuckets.h), so the
// boxed form determines how full each bucket is and how long it takes.

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
  /// Assigns the steps of all boxes in `function`, except for those that cross
  /// from one group to another.
  BoxBuckets(mlir::func::FuncOp function, const GroupTransitions& transitions);

  /// Returns the bytes of all tensors in the bucket of step number `step` of
  /// `box`, each on the rank that holds most of it. A tensor that moves alone,
  /// or in a local step, has a bucket of its own.
  double bytesOf(BoxOp box, size_t step) const;

 private:
  std::vector<double> bytes_;  // by bucket
  std::map<std::pair<Operation*, size_t>, size_t> buckets_;
};

}  // namespace sbp

#endif  // PASSES_EXPLAIN_BOXBUCKETS_H_
