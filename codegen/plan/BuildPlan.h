// Builds the plan that the runtime executes from the local form.
//
//   layOutEntry   lists the tasks of an entry, orders them, and places their
//                 buffers in the arena, in steps             LayOutEntry.h
//   buildPlan     does so for every program and entry, and numbers what the
//                 entries share: kernels, groups, transfers
//
// The names, whole shapes and placements that a plan shows to users come from
// the attributes `nn.input`, `nn.output` and `rank.whole`.

#ifndef CODEGEN_PLAN_BUILDPLAN_H_
#define CODEGEN_PLAN_BUILDPLAN_H_

#include "codegen/plan/KernelProvider.h"
#include "codegen/plan/LayOutEntry.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Returns the plan of `module`, a module in the local form; `model` is its
/// name. The plan's kernels are those of `kernels`.
///
/// The public functions are the entries. An argument or result without a name
/// is called "input0", "output0" ... by its position.
///
/// Fails with a diagnostic if the programs of the module contradict each other
/// or lack a `rank.whole`, where listTasks fails, and if the proof of the
/// finished plan fails (runtime/proof), or where `observe` does, which is
/// called after each step of each entry.
FailureOr<plan::Plan> buildPlan(ModuleOp module, StringRef model,
                                KernelProvider& kernels,
                                StepObserver observe = nullptr);

}  // namespace sbp

#endif  // CODEGEN_PLAN_BUILDPLAN_H_
