// A rank's memory, and its collectives, transfers and messages with others.
//
// The ranks of a program form a world: one process per rank, on one host or
// many, or one thread per rank. World.h makes a world; a Communicator is one
// rank's end of it. It hides from the rest of the runtime which world this is.
//
// A rank's tensors lie in its arena, which the communicator allocates. Ranks of
// one host map each other's arenas, so that a collective among them reads the
// others' buffers where they are and copies nothing twice; between hosts the
// bytes travel over UCX. Whatever way they take, a reduction combines the
// members' terms in the order of the members, so that its bits do not depend on
// how the ranks are spread.
//
// A world lives and dies as a whole. When a rank dies, stalls, does not come
// where others wait for it, or calls fail(), every blocking call on every other
// rank returns an aborted status that names that rank, within the time that
// World.h promises. In a world of processes, the message has been written to
// stderr by then, and the caller has only to leave with kAbortedExitCode. A
// process that has not left a second later (it may be deep in a kernel) is
// ended.
//
// A communicator belongs to one thread at a time, fail() aside.

#ifndef RUNTIME_COMMUNICATION_COMMUNICATOR_H_
#define RUNTIME_COMMUNICATION_COMMUNICATOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/communication/Collectives.h"
#include "runtime/communication/DeviceWork.h"
#include "runtime/communication/Words.h"

namespace sbp::communication {

/// The exit code of a rank that ends because another rank did.
inline constexpr int kAbortedExitCode = 3;

/// One rank's end of a world; see above. Its collectives are on arena().
class Communicator : public Collectives {
 public:
  /// Returns this rank, in [0, size()).
  virtual int64_t rank() const = 0;

  /// Returns the number of ranks in the world.
  virtual int64_t size() const = 0;

  /// Returns this rank's arena. Its size is that given in
  /// WorldOptions::arenaBytes; it is aligned to plan::kBufferAlignment at
  /// least, and zero at first.
  virtual std::byte* arena() const = 0;

  /// Blocks until `isReady` returns true, or the world aborts. `isReady` is
  /// called again whenever a transfer may have made progress.
  virtual absl::Status waitFor(const std::function<bool()>& isReady) = 0;

  /// Blocks until `isReady`, which asks whether this rank's device has done its
  /// work, returns true, or the world aborts. `work` tells what the device
  /// does: when it waits for others, this rank waits for others; otherwise the
  /// time counts as the rank's own work.
  virtual absl::Status waitForDevice(
      const std::function<bool()>& isReady,
      const std::function<DeviceWork()>& work) = 0;

  /// Blocks until every rank has called it, or the world aborts.
  virtual absl::Status barrier() = 0;

  /// Sends `bytes` bytes to rank `peer`, which must call `receive` for as many
  /// bytes from this rank. The memory need not lie in the arena. May block
  /// until the peer receives or the world aborts; returns when `data` may be
  /// changed again.
  virtual absl::Status send(int64_t peer, const void* data, int64_t bytes) = 0;

  /// Receives `bytes` bytes that rank `peer` sends. Blocks until they lie at
  /// `data`, or the world aborts.
  virtual absl::Status receive(int64_t peer, void* data, int64_t bytes) = 0;

  /// Exchanges a few words among all ranks. Every rank offers its own words,
  /// and takes the words of all ranks, in the order of ranks: each take belongs
  /// to the oldest offer that this rank has not taken yet. Fast enough for
  /// every step: if all ranks share memory it takes one wait for the last rank,
  /// a microsecond; otherwise log2(size()) messages, one after the other. An
  /// offer never blocks; at most kMostWordsOffered offers of a rank may wait to
  /// be taken. A take blocks until all ranks have made that offer, or the world
  /// aborts.
  virtual absl::Status offerWords(const Words& mine) = 0;
  virtual absl::Status takeWords(std::vector<Words>& all) = 0;

  /// Offers words, and at once takes the words of all ranks.
  absl::Status exchangeWords(const Words& mine, std::vector<Words>& all) {
    if (absl::Status status = offerWords(mine); !status.ok()) return status;
    return takeWords(all);
  }

  /// Gathers a short text from every rank, in the order of ranks. Every rank
  /// must call it. For set-up, not for steps: the texts go over the control
  /// sockets.
  virtual absl::StatusOr<std::vector<std::string>> allGather(
      std::string_view text) = 0;

  /// Makes ranks agree on whether a phase went well: OK on every rank if it was
  /// OK on all; otherwise the error of the lowest rank that has one, on all,
  /// with "rank R: " before it unless it is the same everywhere. Every rank
  /// must call it; afterwards the world goes on. This is how N ranks report one
  /// user error once: agree, and let rank 0 print.
  virtual absl::Status agree(const absl::Status& mine) = 0;

  /// Ends the world early: every other rank's calls return "rank R (...)
  /// failed: message", and processes print this on stderr too. Returns when the
  /// others have been told, or cannot be. May be called from any thread;
  /// `error` must not be OK. A cancelled error says that this process was told
  /// to end. This is no rank's fault, so only rank 0 reports it, and the caller
  /// need not. Does nothing if the world has aborted already.
  virtual void fail(const absl::Status& error) = 0;

  /// Ends the world in peace: blocks until every rank has called it, or the
  /// world aborts. After it, only rank(), size(), arena(), bytesReceived() and
  /// the destructor may be called. A process whose communicator is destroyed
  /// without it counts as failed.
  virtual absl::Status finish() = 0;

  /// Records that this rank has made progress with its own work, and moves its
  /// transfers on. A rank for which others wait counts as hanging if it neither
  /// comes nor calls this for WorldOptions::waitTimeoutSeconds. Costs next to
  /// nothing if no transfer is under way.
  virtual void noteStep() = 0;

  /// Returns OK unless the world has aborted; then the verdict.
  virtual absl::Status abortStatus() const = 0;

  /// Returns how bytes travel, in a phrase for people: "shared memory, 4
  /// ranks", "ucx between 2 hosts, 8 ranks".
  virtual std::string description() const = 0;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_COMMUNICATOR_H_
