// Checks that a table has all the tasks that a training step needs, each once.
//
// The rules are:
//
//   - In every stage, each part of a micro-batch has one forward; either one
//     backward, or one backward of inputs and one of weights; and at most one
//     recomputation. These tasks are all on one worker.
//   - A forward is recomputed as a whole or not at all.
//   - If a table has updates, each worker updates exactly the stages whose
//     forwards it runs. On each such worker, the updates of a stage cover every
//     micro-batch of the step once, also those that other workers run.
//   - A table without a flush must have updates.
//   - If a stage has reductions of gradients, each worker of the stage has
//     reductions that cover, once, every micro-batch whose forward of the stage
//     it runs.
//
// Order is not checked (see Deadlock.h).

#ifndef PASSES_SCHEDULE_COMPLETENESS_H_
#define PASSES_SCHEDULE_COMPLETENESS_H_

#include "absl/status/status.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Fails if `table` breaks a rule above, has a task out of range, or is too
/// large (kMaxStageParts). The error names the first fault.
absl::Status checkComplete(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_COMPLETENESS_H_
