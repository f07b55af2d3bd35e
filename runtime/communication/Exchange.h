// One phase of a collective among members whose memory is not shared.
//
// What another member would read of my buffer, I send; what I would read of
// its, I receive. Both know the sizes, so nothing else is said; the tag of a
// message tells to which collective it belongs, so that ranks that run
// different ones find out. Messages go in rounds: in round r each member sends
// to the r-th after it and receives from the r-th before it, so that no link
// has two senders. (All at once, a link that many senders crowd lost 20 to 40 %
// of its bandwidth.) All receives are started before the first round, and no
// send waits for a later one: there is no cycle.
//
// A member sends another one a single message, with all that it has for it, of
// however many tensors: rows that do not lie together are packed.

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

class Exchange {
 public:
  Exchange(UcxTransport& ucx, const Waiter& waiter,
           const watchdog::AbortFlag& flag)
      : ucx(ucx), waiter(waiter), flag(flag) {}

  /// Exchanges the boxes of `phase` with the members for which `isRemote`.
  /// This rank's buffers are at `buffers`, by tensor, in `arena`. Of a copy,
  /// the rows end in `out`; of a reduction, packed where received(member) says,
  /// until the next call. `sequence` is the same on both sides and on no other
  /// exchange of the group that is under way.
  absl::Status run(const PreparedCollective& collective, const Phase& phase,
                   const std::vector<bool>& isRemote, uint64_t sequence,
                   std::byte* arena,
                   absl::Span<const CollectiveBuffers> buffers);

  /// The boxes of `member`, one behind the other.
  const std::byte* received(int64_t member) const {
    return incoming.data() + incomingOffsets[member];
  }

  /// Sends or receives one message that belongs to no collective; the n-th from
  /// `sender` to its receiver.
  absl::Status send(int64_t sender, int64_t receiver, uint64_t n,
                    const void* data, int64_t bytes);
  absl::Status receive(int64_t sender, uint64_t n, void* data, int64_t bytes);

  /// One message of a transfer: of what the `number`-th run sends in `cell`.
  /// Nothing may change at `data` before its end, which finish() and
  /// finishReceive() wait for.
  absl::StatusOr<UcxTransport::Operation> startSend(
      int64_t sender, int64_t receiver, int64_t cell, uint64_t number,
      const void* data, int64_t bytes);
  absl::StatusOr<UcxTransport::Operation> startReceive(
      int64_t sender, int64_t cell, uint64_t number, void* data, int64_t bytes);
  absl::Status finish(const UcxTransport::Operation& operation) {
    return wait(operation).status();
  }
  absl::Status finishReceive(int64_t sender,
                             const UcxTransport::Operation& operation,
                             int64_t bytes);

  /// Moves what can be moved without blocking.
  bool progress() { return ucx.progress(); }

  /// Whether an operation of a transfer can be finished without a wait.
  bool isDone(const UcxTransport::Operation& operation) {
    return ucx.isDone(operation);
  }

  /// Calls `progress`, which also moves messages on, whenever this waits.
  void whileWaiting(std::function<bool()> progress) {
    meanwhile = std::move(progress);
  }

  /// Blocks until what was sent is out of this process's hands.
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
