// The age of the weights that a training step reads if steps overlap.
//
// One row per worker (Csv.h): 0F0 is the forward of stage 0 for micro-batch 0,
// B a backward, U an update; <1 marks a task of the step before.
//
//   0F0, 0B0<1, 0U<1
//   1F0, 1B0, 1U
//
// Worker 0 runs the forward of step p before its update of step p - 1, so stage
// 0 reads weights that are one update old. Worker 1 runs that update first, so
// stage 1 reads the newest weights.
//
// A backward reads the same weights as its forward. Ages are those in a full
// pipeline. In the first steps fewer updates are missing, because fewer have
// been made.

#ifndef PASSES_SCHEDULE_DELAYS_H_
#define PASSES_SCHEDULE_DELAYS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Whether training steps of `table` overlap, or forwards ignore the latest
/// updates on purpose (Table::delay > 0).
bool isAsynchronous(const Table& table);

/// Returns, for each stage, the number of most recent updates that are missing
/// in the weights that a step reads. The number is 0 for all stages unless
/// isAsynchronous(table). `table` must have passed `check`. If it is
/// asynchronous, fails if micro-batches of one step read weights of several
/// ages, or if several workers have the same stage.
absl::StatusOr<std::vector<int64_t>> delaysOf(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_DELAYS_H_
