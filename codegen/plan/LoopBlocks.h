// Cuts the tasks of a loop into blocks, one to four per task of the pipeline,
// and orders the runs of the blocks by the schedule.
//
// The function that a rank repeats for each micro-batch contains tasks of the
// pipeline, for instance the forward and the backward of stage 1. Each of these
// consists of several tasks of the list. The tasks of the pipeline run in the
// order of the schedule. Tensors are to travel while a rank computes, so a task
// of the pipeline is cut into up to four blocks:
//
//   1F before    starts the receives of operands of 1F
//   1F           finishes the receives, computes, and starts the sends
//   1F sums      adds to sums that the loop carries, in the order of
//                micro-batches. If 1F runs in this order, its tasks are in
//                block 1F instead.
//   1F after     finishes the sends
//
// TransferTimes.h decides when receives are started and sends are finished.
// In a schedule without a flush (passes/stages/PipelineOrder.h), training steps
// overlap. "1F before" or "1F after" may then run in another period than block
// 1F. Such a run has another step offset (plan::Loop::BlockRun::stepOffset)
// than the run of 1F.

#ifndef CODEGEN_PLAN_LOOPBLOCKS_H_
#define CODEGEN_PLAN_LOOPBLOCKS_H_

#include <optional>

#include "codegen/plan/TaskList.h"
#include "dialects/support/LLVM.h"
#include "passes/stages/PipelineOrder.h"

namespace sbp {

/// Cuts the tasks of each loop of `list` that the schedule orders into blocks,
/// sorts them by block, and sets the order in which the blocks run. A loop that
/// the schedule does not order, and whose nn.repeat runs for some micro-batches
/// only, becomes a single block. `order` is the order of the schedule for the
/// entry, if the module has a schedule.
///
/// Fails with a diagnostic at an nn.repeat if the schedule has a task for
/// another number of micro-batches than the nn.repeat, if several blocks use a
/// carried tensor (it must be a sum to which one task of the pipeline adds), or
/// if a task adds to a sum of the next training step before the sum of this
/// step is complete.
LogicalResult cutIntoBlocks(TaskList& list,
                            const std::optional<PipelineOrder>& order);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LOOPBLOCKS_H_
