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
/// task for it or do not have its element type, or if the mesh that `op` names
/// is not defined or lacks an axis that `op` names.
FailureOr<plan::CollectiveTask> collectiveTaskOf(Operation* op,
                                                 PlanGroups& groups);

/// Returns the needs of `op`, an op of the rank dialect: only rank.all_reduce
/// and rank.to_partial may write the result over the operand.
KernelNeeds collectiveNeedsOf(Operation* op);

/// Returns a task that copies a tensor of `type` from one buffer of a rank to
/// another; the buffers are not set yet. Plans have no tasks for copies. The
/// task is therefore a kToPartial over no axes, which copies its operand: each
/// rank is member 0 of a group of one, and a kToPartial leaves the value of
/// member 0 as it is. Fails with a diagnostic at `op` if plans do not have the
/// element type.
FailureOr<plan::CollectiveTask> copyTaskOf(Operation* op,
                                           RankedTensorType type);

}  // namespace sbp

#endif  // CODEGEN_PLAN_COLLECTIVETASKS_H_
