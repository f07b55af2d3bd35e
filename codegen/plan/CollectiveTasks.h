// Ops of the rank dialect as tasks of a plan.

#ifndef CODEGEN_PLAN_COLLECTIVETASKS_H_
#define CODEGEN_PLAN_COLLECTIVETASKS_H_

#include "codegen/plan/KernelProvider.h"
#include "codegen/plan/PlanGroups.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// The task that `op`, an op of the rank dialect, asks for; its buffers are not
/// set. Fails with a diagnostic at an op that names axes which its group does
/// not have, or has an element type that plans do not know.
FailureOr<plan::CollectiveTask> collectiveTaskOf(Operation* op,
                                                 PlanGroups& groups);

/// What `op`, an op of the rank dialect, asks of the memory it works in: an
/// all-reduce, and a value that becomes partial, may stay where they are.
KernelNeeds collectiveNeedsOf(Operation* op);

/// A task that copies a tensor of `type` from one buffer of a rank to another.
/// In the group over no axes a rank is alone, so it is member 0, which keeps
/// the value when a tensor becomes partial: no part of a plan is there for
/// copies only. Fails with a diagnostic at `op` if plans do not know the
/// element type.
FailureOr<plan::CollectiveTask> copyTaskOf(Operation* op,
                                           RankedTensorType type);

}  // namespace sbp

#endif  // CODEGEN_PLAN_COLLECTIVETASKS_H_
