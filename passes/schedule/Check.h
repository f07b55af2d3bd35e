// Whether a table can be run.

#ifndef PASSES_SCHEDULE_CHECK_H_
#define PASSES_SCHEDULE_CHECK_H_

#include "absl/status/status.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Fails if a task is missing or there twice (Completeness.h), if tasks wait
/// for one another in a cycle, or if a stage is updated out of order. The error
/// shows the shortest cycle. A table without a flush is checked over as many
/// steps as a cycle may span.
absl::Status check(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_CHECK_H_
