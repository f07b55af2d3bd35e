// Processes sums of gradients as soon as they are complete.
//
// After a loop stand tasks that reduce the loop's sums over the ranks of a
// group, or send them to another group. A rank that runs several stages has the
// complete sums of one stage while micro-batches of other stages are still
// under way. So these tasks become blocks of the loop. Such a block runs once,
// right after the last task of the pipeline that adds to its operands:
//
//   1B0 0B0 1B1 1G 0B1        1G reduces the sums of stage 1
//
// or later, if the schedule places 1G later. Tasks that need the sums of the
// last stage to complete stay after the loop. In message-driven execution a
// rank runs the new blocks when it has nothing else to do.

#ifndef CODEGEN_PLAN_EARLYSUMS_H_
#define CODEGEN_PLAN_EARLYSUMS_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Moves tasks that process sums of gradients from after a loop of `list` into
/// the loop, if the loop has blocks. Does nothing where steps overlap. A task
/// that receives, or depends on a receive, stays: the sender may be late.
void moveSumsForward(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_EARLYSUMS_H_
