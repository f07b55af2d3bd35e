// Cuts the tasks of a loop into blocks, one or more per task of the pipeline,
// and orders their runs by the schedule.
//
// The function that a rank repeats for each micro-batch holds tasks of some
// stages: for instance the forward and the backward of stage 1. Each is a
// block, and the blocks run in the schedule's order. Tensors shall travel while
// a rank computes, so a task of the pipeline is cut into up to four blocks:
//
//   1F before    starts to receive the operands of 1F
//   1F           finishes to receive, computes, and starts to send
//   1F sums      adds to carried sums; part of 1F, unless 1F runs in another
//                order than that of the micro-batches, in which sums are
//                always made
//   1F after     finishes to send
//
// TransferTimes.h decides when receives start and sends are finished. Without a
// flush, when one period follows another, that may be in another period than
// the compute block's: the run then has another step offset
// (plan::Loop::BlockRun::stepOffset).

#ifndef CODEGEN_PLAN_LOOPBLOCKS_H_
#define CODEGEN_PLAN_LOOPBLOCKS_H_

#include <optional>

#include "codegen/plan/TaskList.h"
#include "dialects/support/LLVM.h"
#include "passes/stages/PipelineOrder.h"

namespace sbp {

/// Cuts the tasks of each loop of `list` that `order` orders into blocks, sorts
/// them by block, and sets the order in which the blocks run. A loop of one
/// nn.repeat that only runs for some micro-batches, and that no schedule
/// orders, becomes a single block. `order` is that of the schedule for the
/// entry, if the module has one.
///
/// Fails with a diagnostic at an nn.repeat if the schedule has another number
/// of micro-batches, if a carried tensor is not a sum of one task of the
/// pipeline, or if the sums of two steps overlap.
LogicalResult cutIntoBlocks(TaskList& list,
                            const std::optional<PipelineOrder>& order);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LOOPBLOCKS_H_
