// Memory for values that one block of a loop hands to another one of the same
// micro-batch.
//
// When the forward of a stage has saved values of micro-batch 0 for its
// backward, it may run for micro-batch 1 before that backward does: each
// micro-batch needs memory of its own. The order in which blocks run says which
// micro-batches overlap. Buffers that are used by the same blocks overlap
// alike, so they share slots (plan::Loop::Slots):
//
//   used by 1F, 1B      order 1F0 1F1 1B0 1F2 1B1 1B2       2 slots
//
// Buffers need no slots where no two micro-batches overlap and, between the
// first and the last of the blocks that use them, only those blocks run that
// stand there in the list: their live ranges can be stated in tasks.

#ifndef CODEGEN_PLAN_LOOPSLOTS_H_
#define CODEGEN_PLAN_LOOPSLOTS_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/TaskList.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Slots of a loop: each holds one copy of all `buffers`, for one micro-batch.
struct ListedSlots {
  std::vector<int64_t> users;  // blocks, ascending
  int64_t count = 1;
  SmallVector<int64_t> buffers;
};

/// Returns the slots that `loop` of `list` needs. `memoryOf` has for each
/// buffer the one whose memory it uses (ShareBuffers.h); only buffers with
/// memory of their own are in slots.
std::vector<ListedSlots> slotsOf(const ListedLoop& loop, const TaskList& list,
                                 ArrayRef<int64_t> memoryOf);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LOOPSLOTS_H_
