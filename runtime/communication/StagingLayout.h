// The layout of host memory through which collectives and transfers of another
// device go (StagedCollectives.h).
//
//   | the collective that runs: operand, result, operand, ... | transfers |
//
// One collective runs at a time, so all of them share the first part. A
// transfer has room for as many runs as are under way at once.

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

/// A place in staging memory for runs of one end of a transfer: `numSlots`
/// slots of `slotBytes` bytes.
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

  /// Returns `tasks`, one collective, with the offsets of their buffers in
  /// staging memory. What is in place stays so.
  static std::vector<plan::CollectiveTask> staged(
      std::vector<plan::CollectiveTask> tasks);

 private:
  int64_t bytes_ = 0;
  std::vector<std::vector<TransferSlots>> slots_;  // by transfer and end
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_STAGINGLAYOUT_H_
