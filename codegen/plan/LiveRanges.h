// Finds the live range of each buffer of an entry: the first and the last task
// between which its value is needed.

#ifndef CODEGEN_PLAN_LIVERANGES_H_
#define CODEGEN_PLAN_LIVERANGES_H_

#include "codegen/plan/EntryMemory.h"

namespace sbp {

/// Sets `memory.liveRanges`, the live ranges of all buffers and of scratch
/// buffers, and `memory.scratchOf`. `memory.memoryOf` must be set. Moves
/// TaskList::lateFinishes to the end of the list's tasks, and sets
/// `memory.firstLate`.
void findLiveRanges(EntryMemory& memory);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LIVERANGES_H_
