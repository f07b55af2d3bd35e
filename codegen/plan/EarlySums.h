// Processes sums of gradients as soon as they are complete.
//
// After a loop stand tasks that reduce the loop's sums over the ranks of a
// group, or send them to another group. A rank that runs several stages has the
// complete sums of one stage while micro-batches of others are still under way.
// So such tasks become blocks of the loop, which run once, right after the last
// task of the pipeline that adds to their operands:
//
//   1B0 0B0 1B1 1G 0B1        1G reduces the sums of stage 1
//
// or later, if the schedule has it later. Tasks that need the sums of the stage
// that is complete last stay after the loop. In message-driven execution a rank
// runs these blocks when it has nothing else to do.

#ifndef CODEGEN_PLAN_EARLYSUMS_H_
#define CODEGEN_PLAN_EARLYSUMS_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Moves such tasks of `list` into its loops that have blocks; does nothing
/// where steps overlap. A task that receives, or depends on a receive, stays:
/// the sender may be late.
void moveSumsForward(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_EARLYSUMS_H_
