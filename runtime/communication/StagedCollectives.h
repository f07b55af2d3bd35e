// Collectives between the arenas of devices, through host memory, for devices
// that cannot reach each other's memory.
//
// Each operand is copied into host memory, the collective runs there, and each
// result is copied back. This works wherever collectives between CPUs work,
// even if several ranks share a device.

#ifndef RUNTIME_COMMUNICATION_STAGEDCOLLECTIVES_H_
#define RUNTIME_COMMUNICATION_STAGEDCOLLECTIVES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/communication/Collectives.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/StagingLayout.h"
#include "runtime/device/Memory.h"

namespace sbp::communication {

/// The collectives and transfers of one rank, through host memory.
class StagedCollectives : public Collectives {
 public:
  /// Constructs the collectives on `arena`, the memory of the rank's device.
  /// The arena of `communicator` is the staging memory, with at least
  /// layout.bytes() bytes. Both must outlive this object.
  StagedCollectives(device::Memory& arena, Communicator& communicator,
                    StagingLayout layout)
      : arena_(arena),
        communicator_(communicator),
        layout_(std::move(layout)) {}

  absl::StatusOr<std::shared_ptr<const PreparedCollective>> prepare(
      const std::vector<plan::CollectiveTask>& tasks) const override;
  absl::Status run(const PreparedCollective& collective,
                   absl::Span<const CollectiveBuffers> buffers) override;
  absl::StatusOr<std::shared_ptr<const PreparedTransfer>> prepareTransfer(
      int64_t number) const override;
  absl::Status run(plan::TransferTask::Kind kind,
                   const PreparedTransfer& transfer, int64_t buffer,
                   int64_t occurrence) override;
  bool canFinish(plan::TransferTask::Kind finish,
                 const PreparedTransfer& transfer,
                 int64_t occurrence) const override;
  int64_t bytesReceived() const override {
    return communicator_.bytesReceived();
  }

 private:
  /// One end of a run of a transfer: the number of the transfer, whether it is
  /// the send or the receive, and the occurrence (Collectives::run).
  using Run = std::tuple<int64_t, TransferEnd, int64_t>;

  /// copyIn() copies `bytes` bytes from offset `buffer` in the arena to offset
  /// `staged` in staging memory; copyOut() copies them back.
  absl::Status copyIn(int64_t buffer, int64_t bytes, int64_t staged);
  absl::Status copyOut(int64_t staged, int64_t bytes, int64_t buffer);

  /// Takes a free slot of the transfer for `run`, which is about to begin, and
  /// returns the slot's offset in staging memory. Fails if no slot is free.
  absl::StatusOr<int64_t> takeSlot(const Run& run);

  device::Memory& arena_;
  Communicator& communicator_;
  const StagingLayout layout_;
  // The numbers of transfers that have been prepared. A transfer may be
  // prepared several times.
  mutable std::map<const PreparedTransfer*, int64_t> numbers_;
  std::map<Run, int64_t> underWay_;  // offsets of slots
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_STAGEDCOLLECTIVES_H_
