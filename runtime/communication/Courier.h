// Carries out the transfers of one rank, without ever making a sender wait for
// its receivers when it starts.
//
// Each occurrence of a transfer has a cell in every rank's memory. Where memory
// is shared, the sender writes where its buffer is and how often it has been
// there; a receiver sees that, copies its rows, and says so in a cell of its
// own; a send is finished when all have. Between hosts the rows are messages.
//
//   sender     start: cell = (offset, n)                finish: all taken >= n
//   receiver   start       cell.n >= n: copy, taken = n       finish: taken = n
//
// A receiver copies what it has started to receive whenever it waits for
// anything, and between kernels: two ranks that each wait until the other has
// taken something both go on. n counts the runs, so cells need not be cleared.
// No order is imposed on different occurrences: whoever needs one waits for
// that alone.

#ifndef RUNTIME_COMMUNICATION_COURIER_H_
#define RUNTIME_COMMUNICATION_COURIER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "runtime/communication/Exchange.h"
#include "runtime/communication/GroupTransfer.h"
#include "runtime/communication/RankMemory.h"
#include "runtime/communication/Waiter.h"

namespace sbp::communication {

class Courier {
 public:
  /// Of rank `rank`, whose memory is `peers[rank]`; `exchange` reaches those
  /// whose memory is not mapped, and may be null if there are none.
  Courier(int64_t rank, const std::vector<RankMemory>& peers, Waiter& waiter,
          Exchange* exchange, int64_t numCells)
      : rank(rank),
        peers(peers),
        waiter(waiter),
        exchange(exchange),
        numSent(numCells, 0),
        numReceived(numCells, 0) {}

  /// Buffers are offsets in the arena.
  absl::Status startSend(const PreparedTransfer& transfer, int64_t buffer,
                         int64_t occurrence);
  absl::Status finishSend(const PreparedTransfer& transfer, int64_t occurrence);
  absl::Status startReceive(const PreparedTransfer& transfer, int64_t buffer,
                            int64_t occurrence);
  absl::Status finishReceive(const PreparedTransfer& transfer, int64_t buffer,
                             int64_t occurrence);

  /// Whether to finish what has been started would not block.
  bool isSent(const PreparedTransfer& transfer, int64_t occurrence) const;
  bool isReceived(const PreparedTransfer& transfer, int64_t occurrence) const;

  /// Copies what can be copied and moves messages on, without blocking; true if
  /// that was anything.
  bool progress();

  /// Blocks until `isReady`, which is asked whenever something has moved, with
  /// everything else going on. An aborted status if the world ends first.
  absl::Status waitFor(const std::function<bool()>& isReady);

  /// Bytes that have come from other ranks.
  int64_t bytesReceived() const { return numBytesReceived; }

 private:
  /// A message under way, and what it is sent from or received into.
  struct Message {
    int64_t peer = 0;
    UcxTransport::Operation operation;
    std::vector<std::byte> packed;
  };
  using Messages = std::vector<Message>;

  /// What is still to be copied from mapped memory for one occurrence.
  struct Pull {
    uint64_t number = 0;
    std::byte* place = nullptr;
    std::vector<const Parcel*> missing;
  };

  bool areDone(const std::map<int64_t, Messages>& messages, int64_t cell) const;
  bool isMapped(int64_t peer) const { return peers[peer].isMapped(); }
  bool copyReady(int64_t cell, Pull& pull);
  absl::Status checkBothStarted(const PreparedTransfer& transfer,
                                uint64_t numOther, uint64_t number) const;
  /// Waits until `isReady`, with everything else going on. An aborted status if
  /// the world ends first.
  template <typename Predicate>
  absl::Status waitUntil(const Predicate& isReady);

  int64_t rank;
  const std::vector<RankMemory>& peers;
  Waiter& waiter;
  Exchange* exchange;
  std::vector<uint64_t> numSent, numReceived;      // by cell
  std::map<int64_t, Messages> sending, receiving;  // by cell
  std::map<int64_t, Pull> pulls;                   // by cell
  int64_t numBytesReceived = 0;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_COURIER_H_
