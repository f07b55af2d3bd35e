// How many micro-batches a worker holds at once: what its memory is sized by.
//
// What a forward saves is held from its start to the end of the backward of the
// same micro-batch, or of its backward of weights where it is in halves. As a
// worker runs one task at a time, in the order of its list, the list alone says
// how much is held at once, whatever tasks take.
//
//   worker 0 | 0F0 0F1 0F2 0B0 0F3 0B1 ...       inFlight = 3
//
// All counts are in parts of micro-batches (Table::partsPerMicroBatch).

#ifndef PASSES_SCHEDULE_SLOTS_H_
#define PASSES_SCHEDULE_SLOTS_H_

#include <cstdint>
#include <vector>

#include "passes/schedule/Table.h"

namespace sbp::schedule {

/// The most that a worker holds of one of its stages.
struct StageSlots {
  int64_t stage = 0;
  int64_t inFlight = 0;    // from the forward to the end of the backward
  int64_t recomputed = 0;  // from the recomputation to the end of the backward
  int64_t halfBack = 0;    // from the backward of inputs to that of weights
  int64_t weights = 1;     // versions that are still read, the newest included
};

/// The slots of each worker's stages, by stage, of a table that has passed
/// `check`. Where a stage is recomputed, what is held over all of `inFlight` is
/// the inputs alone.
std::vector<std::vector<StageSlots>> slotsOf(const Table& table);

/// The most that a worker holds of all its stages together, in micro-batches of
/// one stage.
struct WorkerPeak {
  double inFlight = 0, recomputed = 0;  // as of StageSlots
};

/// The peak of each worker of a table that has passed `check`.
std::vector<WorkerPeak> peaksOf(const Table& table);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_SLOTS_H_
