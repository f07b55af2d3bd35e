// Builds the plan that the runtime executes from the local form.
//
//   listTasks      makes a straight list of an entry's calls   TaskList.h
//   orderUpdates   puts gradients before updates               OrderUpdates.h
//   shareBuffers   decides which buffers share memory          ShareBuffers.h
//   planBuffers    places the buffers in the arena             PlanBuffers.h
//   layOutEntry    runs these four, and others between them    EntryMemory.h
//   buildPlan      does all of it, for every program and entry
//
// The names, whole shapes and placements that a plan shows to users come from
// the attributes `nn.input`, `nn.output` and `rank.whole`.

#ifndef CODEGEN_PLAN_BUILDPLAN_H_
#define CODEGEN_PLAN_BUILDPLAN_H_

#include "codegen/plan/KernelProvider.h"
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
/// finished plan fails (runtime/proof).
FailureOr<plan::Plan> buildPlan(ModuleOp module, StringRef model,
                                KernelProvider& kernels);

}  // namespace sbp

#endif  // CODEGEN_PLAN_BUILDPLAN_H_
