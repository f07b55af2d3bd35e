// Outlines the ops of each stage into a function. The pass is --sbp-cut-stages
// (Passes.td).

#ifndef PASSES_STAGES_CUTSTAGES_H_
#define PASSES_STAGES_CUTSTAGES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Moves the ops of each stage into a function that the entry calls, separately
/// for each entry. Leaves a module as it is if it has no stages, is placed, or
/// is cut already. If the module has a schedule, marks the functions of stages
/// that trained entries call (markStage in Schedule.h). Fails with a diagnostic
/// at an op that cannot be in its stage, at a stage without ops, or at a
/// schedule that cannot be run.
LogicalResult cutStages(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_STAGES_CUTSTAGES_H_
