// The age of the weights that a training step reads, if it begins before the
// step before it has ended.
//
//   0F0, 0B0<1, 0U<1      On worker 0 the forward of step p comes before the
//   1F0, 1B0, 1U          update by step p - 1, on worker 1 after it: stage 0
//                         reads weights that are one update old, stage 1 the
//                         newest ones.
//
// A backward reads the weights that its forward has read. Ages hold once the
// pipeline is full; before that, there have not been that many updates.

#ifndef PASSES_SCHEDULE_DELAYS_H_
#define PASSES_SCHEDULE_DELAYS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Whether steps of `table` begin before the step before them has ended, or
/// read older weights than they could (Table::delay).
bool isAsynchronous(const Table& table);

/// Returns, by stage, the number of the last updates before a step that the
/// step's weights do not contain; 0 in a table with a flush. `table` has passed
/// `check`. Fails if micro-batches of one step read weights of several ages, or
/// if several workers have a stage.
absl::StatusOr<std::vector<int64_t>> delaysOf(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_DELAYS_H_
