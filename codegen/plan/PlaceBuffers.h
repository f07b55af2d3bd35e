// Places the buffers of an entry in its arena, those in slots slot by slot.

#ifndef CODEGEN_PLAN_PLACEBUFFERS_H_
#define CODEGEN_PLAN_PLACEBUFFERS_H_

#include "codegen/plan/EntryMemory.h"

namespace sbp {

/// Adds the slots of all loops to `memory`, with live ranges. Buffers in slots
/// have no memory of their own any more.
void addSlots(EntryMemory& memory);

/// Sets the offsets of all live ranges (PlanBuffers.h), and those of buffers in
/// slots to their places in the first slot.
void placeBuffers(EntryMemory& memory);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLACEBUFFERS_H_
