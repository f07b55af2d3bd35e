// Gives rotating memory (RotatedMemory in EntryMemory.h) to buffers that
// several training steps need at once, if steps overlap.

#ifndef CODEGEN_PLAN_ROTATEBUFFERS_H_
#define CODEGEN_PLAN_ROTATEBUFFERS_H_

#include "codegen/plan/EntryMemory.h"

namespace sbp {

/// Gives rotating memory that is live during the whole run to
/// - the buffers whose sends are finished late (TaskList::lateFinishes);
/// - if the tasks before the loop run ahead (OverlapSteps.h): the inputs, and
///   the results of these tasks, as far as a task of the loop or after it reads
///   them or the entry returns them.
///
/// Does nothing unless steps overlap.
void rotateBuffers(EntryMemory& memory);

}  // namespace sbp

#endif  // CODEGEN_PLAN_ROTATEBUFFERS_H_
