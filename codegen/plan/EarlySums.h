// Reduces or sends sums of gradients as soon as they are complete.
//
// After a loop stand tasks that take the loop's sums: they reduce the sums over
// the ranks of a group, or send them to another group. On a rank that runs
// several stages, the sums of one stage may be complete while micro-batches of
// other stages are still under way. So these tasks become blocks of the loop.
// Such a block runs once, right after the last run of a block that adds to its
// operands:
//
//   1B0 0B0 1B1 1G 0B1        1G reduces the sums of stage 1
//
// or later, if the schedule places 1G later. Tasks that need the sums that are
// complete last stay after the loop. In message-driven execution the new blocks
// are the least urgent ones, and collectives over another group than the loop's
// stay after the loop.

#ifndef CODEGEN_PLAN_EARLYSUMS_H_
#define CODEGEN_PLAN_EARLYSUMS_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Moves tasks that take sums of gradients from after a loop of `list` into the
/// loop, if the loop has blocks. Does nothing if training steps overlap. A task
/// that receives, or that depends on a receive, stays: the sender may be late.
/// Optimiser ops and updates stay too.
void moveSumsForward(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_EARLYSUMS_H_
