// Places the buffers and slots of an entry in its arena, after the parameters.

#ifndef CODEGEN_PLAN_PLACEBUFFERS_H_
#define CODEGEN_PLAN_PLACEBUFFERS_H_

#include "codegen/plan/EntryMemory.h"

namespace sbp {

/// Adds the slots of all loops to `memory`, with live ranges. The live ranges
/// of the buffers in slots get 0 bytes, since the slots have their memory.
void addSlots(EntryMemory& memory);

/// Sets the offsets of all live ranges (PlanBuffers.h). The offset of a buffer
/// in slots is that of its copy in the first slot.
void placeBuffers(EntryMemory& memory);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLACEBUFFERS_H_
