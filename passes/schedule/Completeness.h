// Checks that a table has all the tasks that a training step needs, each once.
//
// Each part of a micro-batch needs in every stage: one forward; one backward,
// or its two halves; at most one recomputation. All of these are on one worker.
// A forward is recomputed as a whole or not at all. If a table has updates,
// each worker updates all stages whose forwards it runs, by every micro-batch
// once. If a stage has reductions of gradients, they cover, on each worker,
// each micro-batch of that worker once. Order is not checked (see Deadlock.h).

#ifndef PASSES_SCHEDULE_COMPLETENESS_H_
#define PASSES_SCHEDULE_COMPLETENESS_H_

#include "absl/status/status.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Fails with the first task that is missing, doubled, out of range, or on
/// another worker than its forward.
absl::Status checkComplete(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_COMPLETENESS_H_
