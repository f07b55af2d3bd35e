// The tasks of a loop as blocks of the pipeline, and in which order they run.
//
// What is repeated for each micro-batch is, on a rank, tasks of some stages:
// the forward and the backward of stage 1, say. Each is a block, and the blocks
// run as the schedule says. So that tensors travel while a rank computes, a
// block is in parts that are blocks themselves:
//
//   1F before    starts to receive what 1F takes
//   1F           finishes that, computes, and starts to send
//   1F sums      adds to what is carried; part of 1F, unless 1F runs for other
//                micro-batches first: sums are always made in their order
//   1F behind    finishes what was sent
//
// When receives start and sends are finished says TransferTimes.h. Without a
// flush, where a period begins again when it has ended, that may be in another
// one: the block is then of an earlier or a later step
// (plan::Loop::BlockRun::stepOffset).

#ifndef CODEGEN_PLAN_LOOPBLOCKS_H_
#define CODEGEN_PLAN_LOOPBLOCKS_H_

#include "codegen/plan/TaskList.h"
#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "passes/stages/PipelineOrder.h"
#include "passes/stages/RepeatedTasks.h"

namespace sbp {

/// What a loop runs of a pipe: tasks from `first` up to those of the next.
struct ListedPipe {
  RepeatedTasks tasks;
  int64_t first = 0;
};

/// Sorts the tasks from `loop.first` to the end of `list` by the blocks that
/// `loop` gets, with the order in which they run; they are those of `pipes`,
/// one behind the other. Fails with a diagnostic at an nn.repeat where the
/// schedule does not have as many micro-batches, where what is carried is not a
/// sum, and where sums of two steps overlap.
LogicalResult cutIntoBlocks(ArrayRef<ListedPipe> pipes,
                            const PipelineOrder& order, TaskList& list,
                            ListedLoop& loop);

/// Makes `loop`, one of `repeat` that no schedule runs, run for its
/// micro-batches alone.
void runOnly(nn::RepeatOp repeat, TaskList& list, ListedLoop& loop);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LOOPBLOCKS_H_
