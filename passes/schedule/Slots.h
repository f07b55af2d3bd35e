// The largest numbers of micro-batches that a worker holds at once, from which
// the size of its memory follows.
//
// A worker holds the tensors that a forward saves, from the start of the
// forward to the end of the backward of the same micro-batch. If the backward
// is in halves, the worker holds them to the end of the backward of weights. A
// worker runs one task at a time, in the order of its list. So the list alone
// says how much is held at once, however long tasks take.
//
//   worker 0 | 0F0 0F1 0F2 0B0 0F3 0B1 ...       inFlight = 3
//
// StageSlots count parts of micro-batches (Table::partsPerMicroBatch),
// WorkerPeak whole micro-batches and fractions.

#ifndef PASSES_SCHEDULE_SLOTS_H_
#define PASSES_SCHEDULE_SLOTS_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// The largest numbers of parts that a worker holds of one of its stages.
struct StageSlots {
  int64_t stage = 0;
  int64_t inFlight = 0;    // from the forward to the end of the backward
  int64_t recomputed = 0;  // from the recomputation to the end of the backward
  /// From the backward of inputs to that of weights.
  int64_t awaitingWeightGradient = 0;
  int64_t weights = 1;  // versions of the weights, the newest included
};

/// Returns the slots of each worker's stages, in the order of stages. `table`
/// has passed `check`. If a stage is recomputed, only its inputs are held over
/// all of `inFlight`.
std::vector<std::vector<StageSlots>> slotsOf(const Table& table);

/// The largest numbers of micro-batches that a worker holds at once, its stages
/// taken together. A micro-batch counts once for each stage.
struct WorkerPeak {
  double inFlight = 0, recomputed = 0;  // as in StageSlots
};

/// Returns the peak of each worker of `table`, which has passed `check`.
std::vector<WorkerPeak> peaksOf(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_SLOTS_H_
