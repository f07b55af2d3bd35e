// Memory for values that one task block of a pipeline loop writes and a later
// task block reads, for the same micro-batch: for instance activations from 1F
// to 1B. A task block is a run of tasks for one task of the pipeline
// (LoopBlocks.h).
//
// When the forward of a stage has saved values of micro-batch 0 for its
// backward, it may run for micro-batch 1 before that backward does: each
// micro-batch needs memory of its own, called a slot. The order in which blocks
// run says which micro-batches overlap. Buffers used by the same blocks have
// the same live ranges, so one set of slots serves them (plan::Loop::Slots):
//
//   used by 1F, 1B      order 1F0 1F1 1B0 1F2 1B1 1B2       2 slots
//
// A buffer gets an ordinary live range, in tasks of the list, instead if
//
//   (1) only one block uses it, or
//   (2) one slot would be enough, the blocks that use it run in list order, and
//       no block from elsewhere in the list runs between them.
//
// Message-driven loops, and loops with tasks of several steps, get slots also
// in case (2).

#ifndef CODEGEN_PLAN_LOOPSLOTS_H_
#define CODEGEN_PLAN_LOOPSLOTS_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/TaskList.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Slots of a loop. Each slot has one copy of all `buffers`, for one
/// micro-batch.
struct SlotGroup {
  std::vector<int64_t> users;  // blocks that use the buffers, ascending
  int64_t numSlots = 1;
  SmallVector<int64_t> buffers;  // indices into TaskList::buffers
};

/// Returns the slots that `loop` of `list` needs. memoryOf[b] is the buffer
/// whose memory buffer b uses, b itself if it shares none (ShareBuffers.h);
/// only buffers with memory of their own are in slots.
std::vector<SlotGroup> slotsOf(const ListedLoop& loop, const TaskList& list,
                               ArrayRef<int64_t> memoryOf);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LOOPSLOTS_H_
