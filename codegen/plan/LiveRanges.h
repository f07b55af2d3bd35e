// Finds from which task to which each buffer of an entry holds a value that is
// needed.

#ifndef CODEGEN_PLAN_LIVERANGES_H_
#define CODEGEN_PLAN_LIVERANGES_H_

#include "codegen/plan/EntryMemory.h"

namespace sbp {

/// Sets `memory.lives` and `memory.scratchOf`: live ranges of all buffers,
/// whose sharing is known, and of scratch buffers. Puts the late tasks of the
/// list at its end, and sets `memory.firstLate`.
void findLiveRanges(EntryMemory& memory);

}  // namespace sbp

#endif  // CODEGEN_PLAN_LIVERANGES_H_
