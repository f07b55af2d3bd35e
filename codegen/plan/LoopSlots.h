// Memory for values that one block of a loop writes and a later block reads,
// for the same micro-batch: for instance activations that pass from 1F to 1B. A
// block is a part of a task of the pipeline (LoopBlocks.h).
//
// The forward of a stage saves values of micro-batch 0 for the backward. It may
// run for micro-batch 1 before the backward runs for micro-batch 0. So each
// micro-batch needs memory of its own, called a slot. How many slots are needed
// follows from the order in which blocks run. Buffers that are used by the same
// blocks have the same live ranges, so they share slots (plan::Loop::Slots):
//
//   used by 1F, 1B      order 1F0 1F1 1B0 1F2 1B1 1B2       2 slots
//
// A buffer has no slots, but an ordinary live range from task to task, if
//
//   (1) only one block uses it, or
//   (2) one slot is enough, the blocks that use the buffer run in list order,
//       and between them run only blocks that stand between them in the list.
//
// In message-driven loops (ListedMessages in TaskList.h), and in loops that run
// blocks for several training steps, buffers have slots also in case (2).
// Buffers that keep their values through the whole loop (keptIn in TaskList.h)
// have no slots.

#ifndef CODEGEN_PLAN_LOOPSLOTS_H_
#define CODEGEN_PLAN_LOOPSLOTS_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/TaskList.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Slots of a loop. Each slot has a copy of all `buffers`, for one micro-batch.
struct SlotGroup {
  std::vector<int64_t> users;  // blocks that use the buffers, ascending
  int64_t numSlots = 1;
  SmallVector<int64_t> buffers;  // indices into TaskList::buffers
};

/// Returns the slots that `loop` of `list` needs; none if the loop has no
/// blocks. memoryOf[b] is the buffer whose memory buffer b uses, or b
/// (ShareBuffers.h). Only buffers b with memoryOf[b] = b are in slots.
std::vector<SlotGroup> slotsOf(const ListedLoop& loop, const TaskList& list,
                               ArrayRef<int64_t> memoryOf);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LOOPSLOTS_H_
