// The times of a unit's tasks: its forward, its backward, and what it does once
// per step.

#ifndef PASSES_CUT_UNITTASKS_H_
#define PASSES_CUT_UNITTASKS_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// The times of the tasks of a unit, in seconds.
struct UnitTasks {
  double forward = 0;   // per micro-batch
  double backward = 0;  // per micro-batch, sums of gradients included
  double once = 0;      // per step: reductions of gradients, and the update
};

/// Returns the times of the tasks of the only unit of `program`, a placed
/// program of one group (UnitKindPricing.h) with `microBatches` micro-batches.
/// Brings `program` to the boxed form. Fails with a diagnostic at an op that
/// cannot be priced.
FailureOr<UnitTasks> tasksOfUnit(ModuleOp program, const Device& device,
                                 int64_t microBatches);

}  // namespace sbp

#endif  // PASSES_CUT_UNITTASKS_H_
