// Timing of collectives under the conditions of a program.
//
// In a program a kernel writes a tensor and a collective moves it, again and
// again, on all ranks at once. The measurement does the same: a batch is many
// rounds of writing and moving without a barrier in between, and a second batch
// only writes. So caches are in the same state as in a program. If there are
// more ranks than cores, ranks compete for cores as they do in a program. A GPU
// gets all rounds of a batch in advance, and the host waits for it at the end,
// as in a program.
//
// The time of a batch is the time of its slowest rank. The result is the time
// of one round of moving: the lower quartile of the times of batches that write
// and move, minus the lower quartile of those that only write, divided by the
// number of rounds in a batch. Batches of different collectives alternate, so
// that a disturbance affects all collectives alike.

#ifndef RUNTIME_CALIBRATION_MEASURE_H_
#define RUNTIME_CALIBRATION_MEASURE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/calibration/Grid.h"
#include "runtime/execute/Executor.h"
#include "runtime/plan/Plan.h"

namespace sbp::calibration {

using Kind = plan::CollectiveTask::Kind;

/// The measured time of a collective.
struct Sample {
  // Index into Grid::levels; Grid::levels.size() for the group of all ranks.
  int64_t level = 0;
  Kind kind = Kind::kAllReduce;
  int64_t members = 2;  // number of ranks in the group
  int64_t bytes = 0;    // size of a member's input or output, the larger one
  double seconds = 0;   // of one collective, at least 1e-9
};

/// Returns the collectives that measureCollectives() runs on its largest
/// tensors, of about `size` bytes.
std::vector<plan::CollectiveTask> largestCollectives(const Grid& grid,
                                                     int64_t size);

/// Times all-reduce, all-gather, reduce-scatter and all-to-all in all groups of
/// `grid`, and among all ranks if there are several levels, on tensors of about
/// `sizes` bytes. Runs `numRepetitions` batches of each. Every rank must call
/// it; all get the same samples, ordered by level, kind, group and size.
absl::StatusOr<std::vector<Sample>> measureCollectives(
    const execute::Rank& rank, const Grid& grid,
    const std::vector<int64_t>& sizes, int64_t numRepetitions);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_MEASURE_H_
