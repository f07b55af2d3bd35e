// Reduces or sends sums of gradients as soon as they are complete.
//
// A loop adds up the gradients of its micro-batches. Tasks after the loop
// reduce these sums over the ranks of a group, or send them to another group.
// On a rank that runs several stages, the sums of one stage may be complete
// while micro-batches of other stages are still under way. So these tasks
// become blocks of the loop (ListedBlock.h). Such a block runs once, right
// after the last run of any block that adds to its sums. Here 1B0 is the
// backward of stage 1 for micro-batch 0:
//
//   1B0 0B0 1B1 1G 0B1        1G reduces the sums of stage 1
//
// If the schedule places 1G later, the block runs there. Tasks stay after the
// loop if they need the sums that are completed last. In message-driven loops
// (ListedMessages in TaskList.h) the new blocks are the least urgent ones.
// There, collectives over another group than that of the loop stay after the
// loop.

#ifndef CODEGEN_PLAN_EARLYSUMS_H_
#define CODEGEN_PLAN_EARLYSUMS_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Moves, into each loop of `list` that has blocks, the tasks after the loop
/// that take its sums of gradients. Does nothing if training steps overlap
/// (OverlapSteps.h). A task that receives, or that depends on a receive, stays:
/// the sender may be late. Optimiser ops and updates stay too.
void moveSumsForward(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_EARLYSUMS_H_
