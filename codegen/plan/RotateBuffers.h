// Gives rotating memory to buffers that several steps need at once, where steps
// overlap.

#ifndef CODEGEN_PLAN_ROTATEBUFFERS_H_
#define CODEGEN_PLAN_ROTATEBUFFERS_H_

#include "codegen/plan/EntryMemory.h"

namespace sbp {

/// Finds buffers that several steps need at once, and gives them rotating
/// memory for the whole run: results of the tasks before the loop, and inputs,
/// when later tasks use them; and buffers that are sent and finished late.
void rotateBuffers(EntryMemory& memory);

}  // namespace sbp

#endif  // CODEGEN_PLAN_ROTATEBUFFERS_H_
