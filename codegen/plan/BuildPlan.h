// From the local form to the plan that the runtime executes.
//
//   listTasks      an entry's calls become a straight list   TaskList.h
//   orderUpdates   gradients first, updates behind them      OrderUpdates.h
//   shareBuffers   which buffers are one                     ShareBuffers.h
//   planBuffers    where in the arena each lies              PlanBuffers.h
//   layOutEntry    these four                                EntryMemory.h
//   buildPlan      all of it, for every program and entry
//
// What the plan tells people (names, whole shapes, placements) comes from the
// attributes `nn.input`, `nn.output` and `rank.whole`.

#ifndef CODEGEN_PLAN_BUILDPLAN_H_
#define CODEGEN_PLAN_BUILDPLAN_H_

#include "codegen/plan/KernelProvider.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// The plan of `module`, a local program, called `model`. Ops are computed by
/// the kernels of `kernels`, which are those of the plan.
///
/// The public functions are the entries. Their arguments and results without a
/// name are called "input0", "output0" ... by position.
///
/// Fails with a diagnostic where the programs of the module contradict each
/// other or lack a `rank.whole`, and where listTasks fails.
FailureOr<plan::Plan> buildPlan(ModuleOp module, StringRef model,
                                KernelProvider& kernels);

}  // namespace sbp

#endif  // CODEGEN_PLAN_BUILDPLAN_H_
