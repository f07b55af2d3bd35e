// The buckets in which the small collectives of a function travel, as its boxes
// will fill them.
//
// A bucket is filled in the order of the program (codegen/plan/FillBuckets.h),
// so it is known from the boxed form how full it will be, and what it takes.

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

class BoxBuckets {
 public:
  /// Of the boxes of `function`.
  BoxBuckets(mlir::func::FuncOp function, const GroupTransitions& transitions);

  /// The bytes of all tensors that travel together in step number `step` of
  /// `box`, on the rank that has most; its own alone if it travels alone.
  double bytesOf(BoxOp box, size_t step) const;

 private:
  std::vector<double> bytes_;  // by bucket
  std::map<std::pair<Operation*, size_t>, size_t> buckets_;
};

}  // namespace sbp

#endif  // PASSES_EXPLAIN_BOXBUCKETS_H_
