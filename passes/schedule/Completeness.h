// Whether a table has all the tasks that a step needs, each once.
//
// For every stage and micro-batch (every part of one): one forward; one
// backward, or its two halves; at most one recomputation, for all of what one
// forward does or nothing of it; all on one worker.
// Updates, where a table has them, and reductions of gradients cover every
// micro-batch once. Order is not looked at (Deadlock.h).

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
