// The age of the weights that a training step reads, where steps overlap.
//
//   0F0, 0B0<1, 0U<1      On worker 0 the forward of step p comes before the
//   1F0, 1B0, 1U          update by step p - 1, on worker 1 after it: stage 0
//                         reads weights that are one update old, stage 1 the
//                         newest ones.
//
// A backward reads the weights that its forward has read. The ages are those
// once the pipeline is full; the first steps read younger weights, as there
// have been fewer updates.

#ifndef PASSES_SCHEDULE_DELAYS_H_
#define PASSES_SCHEDULE_DELAYS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// Whether training steps of `table` overlap, or read older weights than they
/// could (Table::delay).
bool isAsynchronous(const Table& table);

/// Returns, by stage, how many of the latest updates are missing in the weights
/// that a step reads; 0 for all stages unless isAsynchronous(table). `table`
/// has passed `check`. If it is asynchronous, fails if micro-batches of one
/// step read weights of several ages, or if several workers have a stage.
absl::StatusOr<std::vector<int64_t>> delaysOf(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_DELAYS_H_
