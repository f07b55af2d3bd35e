// Converts ops of the rank dialect to tasks of a plan.

#ifndef CODEGEN_PLAN_COLLECTIVETASKS_H_
#define CODEGEN_PLAN_COLLECTIVETASKS_H_

#include "codegen/plan/KernelProvider.h"
#include "codegen/plan/PlanGroups.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Returns the task that runs `op`, an op of the rank dialect; the buffers of
/// the task are not set yet. Fails with a diagnostic at `op` if plans have no
/// task for it or do not have its element type, or if its mesh is not defined
/// or lacks an axis that it names.
FailureOr<plan::CollectiveTask> collectiveTaskOf(Operation* op,
                                                 PlanGroups& groups);

/// Returns the needs of `op`, an op of the rank dialect: only rank.all_reduce
/// and rank.to_partial may write the result over the operand.
KernelNeeds collectiveNeedsOf(Operation* op);

/// Returns a task that copies a tensor of `type` from one buffer of a rank to
/// another; the buffers are not set yet. Plans have no tasks for copies, so it
/// is a kToPartial over no axes: the rank is the only member, hence member 0,
/// which keeps the value. Fails with a diagnostic at `op` if plans do not have
/// the element type.
FailureOr<plan::CollectiveTask> copyTaskOf(Operation* op,
                                           RankedTensorType type);

}  // namespace sbp

#endif  // CODEGEN_PLAN_COLLECTIVETASKS_H_
