// How old the weights are that a step reads, where it begins before the one
// before it has ended.
//
//   0F0, 0B0<1, 0U<1      the forward of step p stands before the update by
//   1F0, 1B0, 1U          step p - 1 on worker 0, and behind it on worker 1:
//                         stage 0 reads weights of one update less, stage 1 the
//                         newest
//
// A backward reads what its forward has read. What is said here holds once the
// pipeline is full; before that there are not so many updates.

#ifndef PASSES_SCHEDULE_DELAYS_H_
#define PASSES_SCHEDULE_DELAYS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Whether steps of `table` begin before the one before them has ended, or read
/// weights older than that.
bool isAsynchronous(const Table& table);

/// By stage, of how many of the last updates before a step its weights know
/// nothing; 0 in a table with a flush. `table` has passed `check`. Fails if
/// micro-batches of one step read weights of several ages, or several workers
/// have a stage.
absl::StatusOr<std::vector<int64_t>> delaysOf(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_DELAYS_H_
