// Memory for what one block of a loop gives to another one of the same time.
//
// While the forward of a stage has saved something for micro-batch 0 that its
// backward will take, it may run for micro-batch 1: both need memory of their
// own. Which times overlap follows from the order in which blocks run; buffers
// that the same blocks use overlap alike, so they share slots (Plan.h):
//
//   used by 1F, 1B      order 1F0 1F1 1B0 1F2 1B1 1B2       2 slots
//
// Where no time overlaps another, and nothing else runs from the first of the
// blocks to the last but what stands between them in the list, buffers need no
// slots: their lives can be told in tasks.

#ifndef CODEGEN_PLAN_LOOPSLOTS_H_
#define CODEGEN_PLAN_LOOPSLOTS_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/TaskList.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Slots of a loop, one for each of some buffers.
struct ListedSlots {
  std::vector<int64_t> users;  // blocks, ascending
  int64_t count = 1;
  SmallVector<int64_t> buffers;
};

/// The slots that `loop` of `list` needs, where buffers have the memory that
/// `memoryOf` says: of buffers that have their own.
std::vector<ListedSlots> slotsOf(const ListedLoop& loop, const TaskList& list,
                                 ArrayRef<int64_t> memoryOf);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LOOPSLOTS_H_
