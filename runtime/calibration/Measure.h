// Timing collectives as programs run them.
//
// In a program a kernel writes the tensor and a collective moves it, again and
// again, on all ranks at once. So that is what is timed: many rounds of writing
// and moving in a row, less as many rounds of writing alone. There is no
// barrier in between, no message waits in a cache that a program would have
// emptied, and where ranks outnumber cores each waits for its turn as it would
// there. The time of a batch is that of its slowest rank; the figure is the
// median of the batches, which are taken in turns over all collectives, so that
// an hour's worse minute hits all alike.

#ifndef RUNTIME_CALIBRATION_MEASURE_H_
#define RUNTIME_CALIBRATION_MEASURE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/calibration/Grid.h"
#include "runtime/communication/Communicator.h"
#include "runtime/plan/Plan.h"

namespace sbp::calibration {

using Kind = plan::CollectiveTask::Kind;

/// How long a collective took.
struct Sample {
  int64_t level = 0;  // index into the grid's; as many as it has: over all
  Kind kind = Kind::kAllReduce;
  int64_t members = 2;
  int64_t bytes = 0;  // what a member holds where it holds most
  double seconds = 0;
};

/// Times all collectives in all groups of `grid`, and among all ranks if there
/// are several levels, for tensors of about `sizes` bytes, `numRepetitions`
/// batches of each. Every rank must call it; all get
/// the same samples, ordered by level, kind, group and size.
absl::StatusOr<std::vector<Sample>> measureCollectives(
    communication::Communicator& communicator, const Grid& grid,
    const std::vector<int64_t>& sizes, int64_t numRepetitions);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_MEASURE_H_
