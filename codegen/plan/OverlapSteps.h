// Finds how many training steps ahead the tasks before a loop run, where steps
// overlap.
//
// A loop whose steps overlap runs some blocks for later steps than the one that
// it ends. The tasks before the loop make values that its blocks read. So they
// run for the latest of these steps; blocks that only start receives read no
// values and do not count:
//
//   loop     0F2 of step +1   1B1   0F3 of step +1   1B2     stepOffset = 1

#ifndef CODEGEN_PLAN_OVERLAPSTEPS_H_
#define CODEGEN_PLAN_OVERLAPSTEPS_H_

#include "codegen/plan/TaskList.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Sets `list.stepOffset`, if steps of `list` overlap. The loop of `list` has
/// been cut into blocks. Fails with a diagnostic at a task before the loop that
/// reads a value of a parameter that is not known yet when the task runs.
LogicalResult overlapSteps(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_OVERLAPSTEPS_H_
