// A rank's memory, and its collectives, transfers and messages with others.
//
// The ranks of a program form a world: one process per rank, on one host or
// many, or one thread per rank. World.h makes a world; a Communicator is one
// rank's end of it. The rest of the runtime need not know whether ranks are
// processes or threads.
//
// A rank's tensors lie in its arena, which the communicator allocates. Ranks of
// one host map each other's arenas, so that a collective among them reads the
// others' buffers in place, without intermediate copies. Between hosts the
// bytes travel over UCX. In both cases a reduction combines the members' terms
// in the order of the members, so that the bits of its result do not depend on
// which rank is on which host.
//
// A world lives and dies as a whole. A rank may die, stall, not come where
// others wait for it, or call fail(). Then every blocking call on every other
// rank returns an aborted status that names this rank, within the time that
// World.h promises. In a world of processes, the runtime has then already
// written the error to stderr, and the caller has only to exit with
// kAbortedExitCode. A process that has not exited a second later, because a
// kernel runs for instance, is killed.
//
// A communicator belongs to one thread at a time; only fail() may be called
// from any thread.

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

  /// Returns this rank's arena. It has the size that WorldOptions::arenaBytes
  /// gives, is aligned to at least plan::kBufferAlignment, and is zero at
  /// first.
  virtual std::byte* arena() const = 0;

  /// Blocks until `isReady` returns true, or the world aborts. `isReady` is
  /// called again whenever a transfer may have made progress.
  virtual absl::Status waitFor(const std::function<bool()>& isReady) = 0;

  /// Blocks until `isReady` returns true, which says that this rank's device
  /// has done its work, or until the world aborts. `work` returns what the
  /// device does at the moment. While the device waits for other ranks, the
  /// watchdog sees this rank wait for them; otherwise it sees the rank work.
  virtual absl::Status waitForDevice(
      const std::function<bool()>& isReady,
      const std::function<DeviceWork()>& work) = 0;

  /// Blocks until every rank has called it, or the world aborts.
  virtual absl::Status barrier() = 0;

  /// Sends `bytes` bytes to rank `peer`, which must call receive() for the same
  /// number of bytes from this rank. The memory need not lie in the arena. May
  /// block until the peer receives or the world aborts; returns when `data` may
  /// be changed again.
  virtual absl::Status send(int64_t peer, const void* data, int64_t bytes) = 0;

  /// Receives `bytes` bytes that rank `peer` sends. Blocks until they lie at
  /// `data`, or the world aborts.
  virtual absl::Status receive(int64_t peer, void* data, int64_t bytes) = 0;

  /// Exchanges a few words among all ranks. Every rank offers its own words by
  /// offerWords(), and gets the words of all ranks, in the order of ranks, by
  /// takeWords(). The n-th take on a rank returns the n-th offers of all ranks.
  /// Once the last rank has made its offer, a take needs about a microsecond if
  /// all ranks share memory, and otherwise the time of log2(size()) messages,
  /// one after the other. An offer never blocks; on each rank at most
  /// kMostWordsOffered offers may not have been taken yet. A take blocks until
  /// all ranks have made the offers that it returns, or the world aborts.
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

  /// Makes ranks agree on whether a phase went well. Returns OK on every rank
  /// if `mine` is OK on all ranks. Otherwise every rank gets the error of the
  /// lowest rank that has one, with "rank R: " before it unless all ranks have
  /// the same error. Every rank must call it; afterwards the world goes on. So
  /// an error that all ranks find, such as a wrong option, needs to be reported
  /// only once: after agree(), rank 0 alone prints it.
  virtual absl::Status agree(const absl::Status& mine) = 0;

  /// Ends the world early. The calls of every other rank return "rank R (...)
  /// failed: message", with the message of `error`; ranks that are processes
  /// also print this on stderr. Returns when the other ranks have been
  /// informed, or cannot be reached. May be called from any thread; `error`
  /// must not be OK. If the code of `error` is kCancelled, a signal has told
  /// this process to end. Then no rank is at fault: only rank 0 reports the
  /// end, and the caller need not report it. Does nothing if the world has
  /// aborted already.
  virtual void fail(const absl::Status& error) = 0;

  /// Ends the world without an error: blocks until every rank has called it, or
  /// the world aborts. After finish(), only rank(), size(), arena(),
  /// bytesReceived() and the destructor may be called. If a communicator is
  /// destroyed without finish(), its process counts as failed.
  virtual absl::Status finish() = 0;

  /// Records that this rank has made progress with its own work, and moves its
  /// transfers on. A rank counts as hanging if other ranks wait for it and, for
  /// WorldOptions::waitTimeoutSeconds, it neither joins them nor calls
  /// noteStep(). Takes almost no time if no transfer is under way.
  virtual void noteStep() = 0;

  /// Returns the error that has ended the world (the verdict, see World.h) if
  /// the world has aborted, and OK otherwise.
  virtual absl::Status abortStatus() const = 0;

  /// Returns how bytes travel, in a phrase for people: "shared memory, 4
  /// ranks", "ucx between 2 hosts, 8 ranks".
  virtual std::string description() const = 0;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_COMMUNICATOR_H_
