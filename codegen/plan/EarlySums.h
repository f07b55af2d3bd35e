// What becomes of sums of gradients is done as soon as they are complete.
//
// Behind a loop stand tasks that reduce the sums which it has made over the
// ranks of a group, or send them to another one. A rank that runs several
// stages has the sums of one while micro-batches of others are still on their
// way. So these tasks are blocks of the loop as well, which run once, right
// behind the last task of the pipeline that adds to what they take:
//
//   1B0 0B0 1B1 1G 0B1        1G reduces the sums of stage 1
//
// or later, if the schedule has it there. What depends on the stage that is
// done last stays behind the loop. Where messages decide, a rank does it when
// it has nothing else to do.

#ifndef CODEGEN_PLAN_EARLYSUMS_H_
#define CODEGEN_PLAN_EARLYSUMS_H_

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Moves such tasks of `list` into its loops that have blocks, where steps do
/// not overlap. Tasks that receive, or depend on that, stay: others may be
/// late.
void moveSumsForward(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_EARLYSUMS_H_
