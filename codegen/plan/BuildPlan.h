// Builds, from the local form of a model, the plan that the runtime executes.
//
//   layOutEntry   lists the tasks of an entry, orders them, and places their
//                 buffers in the arena, in steps             LayOutEntry.h
//   buildPlan     does so for every program and entry, and numbers what the
//                 entries share: kernels, groups, transfers
//
// A plan shows users the names, the placements and the shapes of whole tensors.
// These come from the attributes `nn.input`, `nn.output` and `rank.whole`.

#ifndef CODEGEN_PLAN_BUILDPLAN_H_
#define CODEGEN_PLAN_BUILDPLAN_H_

#include "codegen/plan/KernelProvider.h"
#include "codegen/plan/LayOutEntry.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Returns the plan of `module`, a module in the local form; `model` is its
/// name. `kernels` makes the plan's kernels; it must not have made any before.
/// `observe` is called after each step of each entry.
///
/// The public functions are the entries. An input or output without a name is
/// called "input0" or "output0": the number is its position in the entry over
/// all ranks.
///
/// Fails with a diagnostic if the module has no rank.program, if its programs
/// contradict each other or lack a `rank.whole`, if layOutEntry fails, or if
/// the finished plan does not pass its checks (runtime/plan/Check.h) and its
/// proof (runtime/proof).
FailureOr<plan::Plan> buildPlan(ModuleOp module, StringRef model,
                                KernelProvider& kernels,
                                StepObserver observe = nullptr);

}  // namespace sbp

#endif  // CODEGEN_PLAN_BUILDPLAN_H_
