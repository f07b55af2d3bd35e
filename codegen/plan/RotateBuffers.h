// Gives rotating memory to buffers that several steps need at once, where steps
// overlap.

#ifndef CODEGEN_PLAN_ROTATEBUFFERS_H_
#define CODEGEN_PLAN_ROTATEBUFFERS_H_

#include "codegen/plan/EntryMemory.h"

namespace sbp {

/// Finds the buffers that several training steps need at once, and gives them
/// rotating memory that is live during the whole run. If the tasks before the
/// loop run ahead (OverlapSteps.h), these are the inputs, and the results of
/// these tasks that later tasks or the entry's outputs use. The buffers whose
/// sends are finished late are always among them. Does nothing unless steps
/// overlap.
void rotateBuffers(EntryMemory& memory);

}  // namespace sbp

#endif  // CODEGEN_PLAN_ROTATEBUFFERS_H_
