// Checks that a table has all the tasks that a training step needs, each once.
//
// Each part of a micro-batch has in every stage one forward; one backward, or
// its two halves; and at most one recomputation. All of these are on one
// worker. A forward is recomputed as a whole or not at all. If a table has
// updates, each worker updates all stages whose forwards it runs, and these
// updates cover every micro-batch of the step once. A table without a flush
// must have updates. If a stage has reductions of gradients, they cover, on
// each worker, each micro-batch of that worker once. Order is not checked (see
// Deadlock.h).

#ifndef PASSES_SCHEDULE_COMPLETENESS_H_
#define PASSES_SCHEDULE_COMPLETENESS_H_

#include "absl/status/status.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Fails at the first rule above that `table` breaks, at a task out of range,
/// and at a table that is too large (kMaxStageParts).
absl::Status checkComplete(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_COMPLETENESS_H_
