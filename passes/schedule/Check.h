// Checks that a table can be run.

#ifndef PASSES_SCHEDULE_CHECK_H_
#define PASSES_SCHEDULE_CHECK_H_

#include "absl/status/status.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Fails if the table is not complete (Completeness.h), if tasks wait for one
/// another in a cycle, or if a worker's updates of a stage are not in the order
/// of micro-batches. An error about a cycle shows a shortest cycle. A table
/// without a flush is checked over as many steps as a cycle may span. Fails if
/// these are too many to check.
absl::Status check(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_CHECK_H_
