// Carries out the transfers of one rank, so that starting a send never waits
// for the receivers.
//
// Runs of a transfer that may be under way at the same time are different
// occurrences (Collectives::run). Each occurrence has a send cell and a receive
// cell in every rank's memory (RankMemory.h). Where memory is shared, the
// sender writes into its send cell the offset of its buffer, and n, the number
// of times it has started this send. The receiver waits for this, copies its
// rows out of the buffer, and writes n into its own receive cell. A send is
// finished when all receivers have written n. Between hosts the rows travel as
// messages.
//
//   sender     start: send cell = (offset, n)
//              finish: wait until the receive cells of all receivers are >= n
//   receiver   start: remember n; once the send cell has n: copy the rows,
//              then receive cell = n
//              finish: wait until this has been done
//
// A receiver copies the data of receives that it has started whenever it waits
// in a collective, a transfer or an exchange of words, and between kernels. So
// two ranks may each wait until the other one has received data: they do not
// deadlock. Because n counts runs, cells need not be cleared. Different
// occurrences are independent: a rank that waits for one need not wait for
// others.

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

/// The transfers of one rank; the head of this file explains how they work.
class Courier {
 public:
  /// Constructs the courier of rank `rank`, whose memory is `peers[rank]`.
  /// `exchange` reaches the ranks whose memory is not mapped, and may be null
  /// if there are none. `numCells` is MemoryLayout::numCells.
  Courier(int64_t rank, const std::vector<RankMemory>& peers, Waiter& waiter,
          Exchange* exchange, int64_t numCells)
      : rank(rank),
        peers(peers),
        waiter(waiter),
        exchange(exchange),
        numSent(numCells, 0),
        numReceived(numCells, 0) {}

  /// Start or finish the send or the receive of a transfer. Collectives::run
  /// explains `occurrence`. `buffer` is an offset in the arena. A start does
  /// not block. A finish blocks until the send or receive is finished; it
  /// returns an aborted status if the world ends first. A finish also fails if
  /// this rank sends to itself and has started only the send or only the
  /// receive.
  absl::Status startSend(const PreparedTransfer& transfer, int64_t buffer,
                         int64_t occurrence);
  absl::Status finishSend(const PreparedTransfer& transfer, int64_t occurrence);
  absl::Status startReceive(const PreparedTransfer& transfer, int64_t buffer,
                            int64_t occurrence);
  absl::Status finishReceive(const PreparedTransfer& transfer, int64_t buffer,
                             int64_t occurrence);

  /// Whether finishSend(), or finishReceive(), would not block. The end must
  /// have been started.
  bool isSent(const PreparedTransfer& transfer, int64_t occurrence) const;
  bool isReceived(const PreparedTransfer& transfer, int64_t occurrence) const;

  /// Copies the parcels (GroupTransfer.h) whose senders have started to send,
  /// and moves messages on, without blocking. Returns whether there was
  /// anything to do.
  bool progress();

  /// Blocks until `isReady` returns true, and moves transfers on meanwhile.
  /// `isReady` is called again after each such progress. Returns an aborted
  /// status if the world ends first.
  absl::Status waitFor(const std::function<bool()>& isReady);

  /// Returns the number of bytes that finished receives have taken from other
  /// ranks so far.
  int64_t bytesReceived() const { return numBytesReceived; }

 private:
  /// A message under way, and the memory that it is sent from or received into.
  struct Message {
    int64_t peer = 0;
    UcxTransport::Operation operation;
    std::vector<std::byte> packed;
  };
  using Messages = std::vector<Message>;

  /// The parcels of one occurrence that are still to be copied from mapped
  /// memory.
  struct Pull {
    uint64_t number = 0;         // n of the receive: its runs count from 1
    std::byte* place = nullptr;  // where the receiver's buffer begins
    std::vector<const Parcel*> missing;
  };

  bool areDone(const std::map<int64_t, Messages>& messages, int64_t cell) const;
  bool isMapped(int64_t peer) const { return peers[peer].isMapped(); }
  bool copyReady(int64_t cell, Pull& pull);
  absl::Status checkBothStarted(const PreparedTransfer& transfer,
                                uint64_t numOther, uint64_t number) const;
  /// Implements waitFor() for any predicate.
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
