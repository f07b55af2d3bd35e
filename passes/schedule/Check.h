// Whether a table can be run.

#ifndef PASSES_SCHEDULE_CHECK_H_
#define PASSES_SCHEDULE_CHECK_H_

#include "absl/status/status.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Fails if a task is missing or twice (Completeness.h), if tasks wait for one
/// another in a cycle, which is then told, the shortest there is, or if a
/// stage is updated out of order. A table without a flush is looked at over as
/// many steps as a cycle may reach.
absl::Status check(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_CHECK_H_
