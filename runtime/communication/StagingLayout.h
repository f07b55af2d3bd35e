// The layout of staging memory: host memory through which a GPU's collectives
// and transfers pass (StagedCollectives.h).
//
//   | the collective that runs: operand, result, operand, ... | transfers |
//
// One collective runs at a time, so all collectives share the first part. Each
// transfer has slots for as many runs as may be under way at once.

#ifndef RUNTIME_COMMUNICATION_STAGINGLAYOUT_H_
#define RUNTIME_COMMUNICATION_STAGINGLAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/plan/Plan.h"

namespace sbp::communication {

/// One end of a transfer on a rank: the send or the receive.
enum class TransferEnd { kSend, kReceive };

/// Returns the end to which a task of `kind` belongs.
TransferEnd endOf(plan::TransferTask::Kind kind);

/// The place in staging memory for one end of a transfer: `numSlots` slots of
/// `slotBytes` bytes, one for each run under way.
struct TransferSlots {
  int64_t first = 0;  // offset
  int64_t slotBytes = 0;
  int64_t numSlots = 0;
};

/// The staging memory of one rank for one entry.
class StagingLayout {
 public:
  /// Lays out the memory in which `rank` runs `entry` (an index into
  /// Plan::entries).
  StagingLayout(const plan::Plan& plan, size_t entry, int64_t rank);

  int64_t bytes() const { return bytes_; }

  /// Returns the slots of one end of transfer `transfer` (an index into
  /// Entry::transfers).
  const TransferSlots& slotsOf(int64_t transfer, TransferEnd end) const {
    return slots_[transfer][static_cast<size_t>(end)];
  }

  /// Returns a copy of `tasks`, which form one collective, in which `in` and
  /// `out` are offsets in staging memory. A task that is in place (`in` ==
  /// `out`) stays in place.
  static std::vector<plan::CollectiveTask> staged(
      std::vector<plan::CollectiveTask> tasks);

 private:
  int64_t bytes_ = 0;
  std::vector<std::vector<TransferSlots>> slots_;  // by transfer and end
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_STAGINGLAYOUT_H_
