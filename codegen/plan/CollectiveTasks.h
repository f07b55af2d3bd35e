// Converts ops of the rank dialect to tasks of a plan.

#ifndef CODEGEN_PLAN_COLLECTIVETASKS_H_
#define CODEGEN_PLAN_COLLECTIVETASKS_H_

#include "codegen/plan/KernelProvider.h"
#include "codegen/plan/PlanGroups.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Returns the task that runs `op`, an op of the rank dialect, with its buffers
/// not set yet. Fails with a diagnostic at `op` if its group lacks one of its
/// axes, or plans do not have its element type.
FailureOr<plan::CollectiveTask> collectiveTaskOf(Operation* op,
                                                 PlanGroups& groups);

/// Returns the needs of `op`, an op of the rank dialect: an all-reduce and a
/// to-partial may write their result over their operand.
KernelNeeds collectiveNeedsOf(Operation* op);

/// Returns a task that copies a tensor of `type` from one buffer of a rank to
/// another. Plans have no kind of task for copies; the copy is a kToPartial
/// over no axes, in which a rank is alone, hence member 0, which keeps the
/// value. Fails with a diagnostic at `op` if plans do not have the element
/// type.
FailureOr<plan::CollectiveTask> copyTaskOf(Operation* op,
                                           RankedTensorType type);

}  // namespace sbp

#endif  // CODEGEN_PLAN_COLLECTIVETASKS_H_
