// Messages between ranks whose memory is not shared: those of collectives, of
// transfers, and others.
//
// In a phase of a collective, each member reads blocks of the other members'
// buffers, called boxes (Collective.h). If memory is not shared, the owner of a
// box sends it instead. Sender and receiver know the size of each box, so
// messages need no header. The tag of a message identifies the collective, so
// that ranks notice if they run different collectives.
//
// The messages of a phase are sent in rounds: in round r each member sends to
// the r-th member after it, and receives from the r-th member before it, so
// that in each round no two members send to the same member. (When all messages
// went at once, a link that many senders shared lost 20 to 40 % of its
// bandwidth.) All receives are started before the first round, and no send
// waits for a later round, so there is no deadlock.
//
// In a phase a member sends at most one message to each other member, with the
// boxes of all tensors. Rows that are not contiguous are packed.

#ifndef RUNTIME_COMMUNICATION_EXCHANGE_H_
#define RUNTIME_COMMUNICATION_EXCHANGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/communication/Collective.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/communication/UcxTransport.h"
#include "runtime/communication/Waiter.h"

namespace sbp::communication {

/// Messages of one rank to and from ranks whose memory is not mapped.
class Exchange {
 public:
  Exchange(UcxTransport& ucx, const Waiter& waiter,
           const watchdog::AbortFlag& flag)
      : ucx(ucx), waiter(waiter), flag(flag) {}

  /// Exchanges the boxes of `phase` with the members for which `isRemote` is
  /// true. `buffers` are this rank's buffers, by tensor, in `arena`. If the
  /// phase copies, the received rows are stored in the `out` of each tensor's
  /// buffers. If the phase reduces, they remain packed at received(member)
  /// until the next call. `sequence` is a number of this exchange: it must be
  /// the same on all members, and differ from the numbers of all other
  /// exchanges of these members that are under way. Blocks until everything has
  /// been sent and received, or the world aborts. Fails if a member sends a
  /// message of another collective.
  absl::Status run(const PreparedCollective& collective, const Phase& phase,
                   const std::vector<bool>& isRemote, uint64_t sequence,
                   std::byte* arena,
                   absl::Span<const CollectiveBuffers> buffers);

  /// Returns the boxes that run() has received from `member`, packed, after
  /// run() for a phase that reduces.
  const std::byte* received(int64_t member) const {
    return incoming.data() + incomingOffsets[member];
  }

  /// Sends the message with number `n` from `sender`, which must be this rank,
  /// to `receiver`. The message belongs to no collective or transfer. Blocks
  /// until the memory at `data` may be changed.
  absl::Status send(int64_t sender, int64_t receiver, uint64_t n,
                    const void* data, int64_t bytes);
  /// Receives message number `n` that `sender` sends by send(). Blocks until
  /// `data` holds the message. Fails if the message does not have `bytes`
  /// bytes.
  absl::Status receive(int64_t sender, uint64_t n, void* data, int64_t bytes);

  /// Starts to send a message of a transfer. `cell` is the number of the cell
  /// of one occurrence of the transfer, and `number` counts the runs of this
  /// occurrence (Courier.h). `sender` must be this rank. The memory must not be
  /// changed until finish() has returned.
  absl::StatusOr<UcxTransport::Operation> startSend(
      int64_t sender, int64_t receiver, int64_t cell, uint64_t number,
      const void* data, int64_t bytes);
  /// Starts to receive the message that `sender` sends by startSend() with the
  /// same `cell` and `number`. The memory must not be used until
  /// finishReceive() has returned.
  absl::StatusOr<UcxTransport::Operation> startReceive(
      int64_t sender, int64_t cell, uint64_t number, void* data, int64_t bytes);
  /// Blocks until the message of startSend() has been sent.
  absl::Status finish(const UcxTransport::Operation& operation) {
    return wait(operation).status();
  }
  /// Blocks until the message of startReceive() has come. Fails if the message
  /// does not have `bytes` bytes.
  absl::Status finishReceive(int64_t sender,
                             const UcxTransport::Operation& operation,
                             int64_t bytes);

  /// Moves messages on without blocking. Returns whether there was anything to
  /// do.
  bool progress() { return ucx.progress(); }

  /// Whether an operation of a transfer can be finished without blocking.
  bool isDone(const UcxTransport::Operation& operation) {
    return ucx.isDone(operation);
  }

  /// Sets the function that every wait calls repeatedly, in place of the member
  /// function progress(). It must do what that function does, and may do more.
  void whileWaiting(std::function<bool()> progress) {
    meanwhile = std::move(progress);
  }

  /// Blocks until UCX has pushed out the data that it still buffers for
  /// finished sends.
  absl::Status flush();

 private:
  absl::StatusOr<UcxTransport::Arrival> wait(
      const UcxTransport::Operation& operation);
  absl::Status waitForMember(const PreparedCollective& collective,
                             int64_t member, int64_t bytes);
  void layOut(const PreparedCollective& collective, const Phase& phase,
              const std::vector<bool>& isRemote);

  UcxTransport& ucx;
  std::function<bool()> meanwhile = [this] { return ucx.progress(); };
  const Waiter& waiter;
  const watchdog::AbortFlag& flag;
  std::vector<std::byte> incoming;  // kept, so that steps allocate nothing
  std::vector<std::byte> outgoing;
  std::vector<int64_t> incomingOffsets;  // by member
  std::vector<UcxTransport::Operation> receives;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_EXCHANGE_H_
