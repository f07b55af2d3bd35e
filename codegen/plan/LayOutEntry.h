// The steps from the local form to the tasks and the arena of one entry.
//
// The first step lists the tasks. Each further step rewrites the list, or adds
// to the layout of memory. An observer sees the state after each step
// (PrintTasks.h makes text of it).

#ifndef CODEGEN_PLAN_LAYOUTENTRY_H_
#define CODEGEN_PLAN_LAYOUTENTRY_H_

#include <optional>

#include "codegen/plan/EntryMemory.h"
#include "codegen/plan/KernelTarget.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/stages/PipelineOrder.h"

namespace sbp {

/// A step on the way of an entry to its plan.
struct LayoutStep {
  int64_t number = 1;  // counts from 1 for each entry
  StringRef name;      // "updates-in-order"
};

/// Called after each step with the state that it has left. If the call fails,
/// the layout fails.
using StepObserver =
    llvm::function_ref<LogicalResult(const LayoutStep&, const EntryMemory&)>;

/// Lists the tasks of `entry`, a function of a rank.program, and lays out their
/// buffers. `versions` are those of the module, and `pipeline` is the order of
/// the module's schedule, if the module has one. Fails with a diagnostic if
/// listTasks or another step does, or if a tensor that depends on an update of
/// a parameter is sent to another group. Fails also if `observe` does.
FailureOr<EntryMemory> layOutEntry(mlir::func::FuncOp entry,
                                   const KernelTarget& target,
                                   const ParameterVersions& versions,
                                   const std::optional<PipelineOrder>& pipeline,
                                   StepObserver observe = nullptr);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LAYOUTENTRY_H_
