// Finds how many training steps ahead a rank must run the tasks before a loop,
// if training steps overlap.
//
// While such a loop ends one training step, it already runs some blocks for
// later steps. The tasks before the loop make values that its blocks read. So
// these tasks run for the latest step for which a block runs. Blocks that only
// start receives read no values and do not count. In this loop, stage 0 is one
// step ahead:
//
//   loop     0F2 of step +1   1B1   0F3 of step +1   1B2     stepOffset = 1

#ifndef CODEGEN_PLAN_OVERLAPSTEPS_H_
#define CODEGEN_PLAN_OVERLAPSTEPS_H_

#include "codegen/plan/TaskList.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Sets `list.stepOffset`, if steps of `list` overlap. The loop of `list` must
/// have been cut into blocks. Fails with a diagnostic at a task before the loop
/// that reads a value of a parameter that is not known yet when the task runs.
LogicalResult overlapSteps(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_OVERLAPSTEPS_H_
