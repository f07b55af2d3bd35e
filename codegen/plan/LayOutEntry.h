// The steps from the local form to the tasks and the arena of one entry.
//
// Each step rewrites the list of tasks, or adds to the layout of memory. An
// observer sees the state after each (PrintTasks.h makes text of it).

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

/// Is called with the state that a step has left. Layout ends if it fails.
using StepObserver =
    llvm::function_ref<LogicalResult(const LayoutStep&, const EntryMemory&)>;

/// Lists the tasks of `entry`, a function of a rank.program, and lays out their
/// buffers. `pipeline` is the order of the module's schedule, if it has one.
/// Fails where listTasks and the steps do, with a diagnostic at a transfer that
/// depends on an update of a parameter, and where `observe` does.
FailureOr<EntryMemory> layOutEntry(mlir::func::FuncOp entry,
                                   const KernelTarget& target,
                                   const std::optional<PipelineOrder>& pipeline,
                                   StepObserver observe = nullptr);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LAYOUTENTRY_H_
