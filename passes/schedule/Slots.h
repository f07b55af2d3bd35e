// The largest numbers of micro-batches that a worker holds at once. They
// determine the size of its memory.
//
// A worker holds the tensors that a forward saves, from the start of the
// forward to the end of the backward of the same micro-batch. If the backward
// is in halves, the worker holds them to the end of the backward of weights. A
// worker runs one task at a time, in the order of its list. So the numbers
// follow from the list, and do not depend on the durations of tasks.
//
//   worker 0 | 0F0 0F1 0F2 0B0 0F3 0B1 ...       inFlight = 3
//
// StageSlots counts parts of micro-batches (Table::partsPerMicroBatch).
// WorkerPeak counts micro-batches, with fractions.

#ifndef PASSES_SCHEDULE_SLOTS_H_
#define PASSES_SCHEDULE_SLOTS_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// The largest numbers of parts, of one stage, that a worker holds at once.
struct StageSlots {
  int64_t stage = 0;
  int64_t inFlight = 0;    // from the forward to the end of the backward
  int64_t recomputed = 0;  // from the recomputation to the end of the backward
  /// From the end of the backward of inputs to that of the backward of weights.
  int64_t awaitingWeightGradient = 0;
  int64_t weights = 1;  // versions of the weights, the newest included
  /// From the forward to the end of the backward, or of the backward of inputs.
  /// The next stages' bounds depend on it (Bounds.h).
  int64_t awaitingBackward = 0;
};

/// Returns, for each worker, the slots of its stages in the order of stages.
/// `table` must have passed `check`. If a stage is recomputed, `inFlight`
/// counts parts of which only the inputs are held.
std::vector<std::vector<StageSlots>> slotsOf(const Table& table);

/// The largest numbers of micro-batches that a worker holds at once, over all
/// its stages together. A micro-batch counts once per stage.
struct WorkerPeak {
  double inFlight = 0, recomputed = 0;  // as in StageSlots
};

/// Returns the peak of each worker of `table`, which must have passed `check`.
std::vector<WorkerPeak> peaksOf(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_SLOTS_H_
