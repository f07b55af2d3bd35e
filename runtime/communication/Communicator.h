// What one rank needs of the others: its memory, and collectives on it.
//
// The ranks of a program form a world: one process per rank, on one host or
// many, or one thread per rank. World.h makes a world; a Communicator is one
// rank's end of it, and the rest of the runtime sees no other difference.
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
// World.h promises. The message has been written to stderr by then; the caller
// has only to leave with kAbortedExitCode. In a world of processes a rank that
// has not left a second later (it may be deep in a kernel) is made to.
//
// A communicator belongs to one thread at a time, fail() aside.

#ifndef RUNTIME_COMMUNICATION_COMMUNICATOR_H_
#define RUNTIME_COMMUNICATION_COMMUNICATOR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/communication/Words.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {

struct PreparedCollective;  // Collective.h
struct PreparedTransfer;    // GroupTransfer.h

/// The exit code of a rank that ends because another rank did.
inline constexpr int kAbortedExitCode = 3;

class Communicator {
 public:
  virtual ~Communicator() = default;

  /// This rank, in [0, size()).
  virtual int64_t rank() const = 0;

  /// Number of ranks in the world.
  virtual int64_t size() const = 0;

  /// This rank's arena: the bytes that World.h was asked for, aligned to
  /// plan::kBufferAlignment at least, zero at first.
  virtual std::byte* arena() const = 0;

  /// Works out once what `run` will do every step: the members of this rank's
  /// group, and which part of whose buffer goes where. No other rank takes
  /// part. Several tasks are a bucket (plan::CollectiveTask::bucket): one
  /// collective that gives each the result that it would have alone, bit for
  /// bit. They have passed the plan's checks. Fails if there are none or more
  /// than plan::kMostInBucket, or one leaves the arena.
  virtual absl::StatusOr<std::shared_ptr<const PreparedCollective>> prepare(
      const std::vector<plan::CollectiveTask>& tasks) const = 0;

  /// Runs a collective; every member of the group must. `buffers` says where
  /// its tensors are, in the order of its tasks: there
  /// (PreparedCollective::buffers) or elsewhere, but in place if its task is.
  /// Blocks until each `out` holds the result and nobody reads any `in` any
  /// more, or the world aborts.
  virtual absl::Status run(const PreparedCollective& collective,
                           absl::Span<const CollectiveBuffers> buffers) = 0;

  /// Works out once what the ends of transfer `number` of World.h's will do. No
  /// other rank takes part.
  virtual absl::StatusOr<std::shared_ptr<const PreparedTransfer>>
  prepareTransfer(int64_t number) const = 0;

  /// One end of a transfer, as plan::TransferTask says; `buffer` is an offset
  /// in the arena. To finish blocks until the end is reached, or the world
  /// aborts; to start blocks on nobody.
  virtual absl::Status run(plan::TransferTask::Kind kind,
                           const PreparedTransfer& transfer, int64_t buffer,
                           int64_t occurrence) = 0;

  /// Whether to finish an end of a transfer that has been started would not
  /// block.
  virtual bool isReached(plan::TransferTask::Kind finish,
                         const PreparedTransfer& transfer,
                         int64_t occurrence) const = 0;

  /// Blocks until `isReady`, which is asked again whenever a transfer may have
  /// come further, or the world aborts.
  virtual absl::Status waitFor(const std::function<bool()>& isReady) = 0;

  /// Blocks until every rank has come here.
  virtual absl::Status barrier() = 0;

  /// Moves `bytes` bytes to rank `peer`, which must call `receive` for as many
  /// from this one. The memory need not lie in the arena. May block until the
  /// peer receives; returns when `data` may be changed again.
  virtual absl::Status send(int64_t peer, const void* data, int64_t bytes) = 0;

  /// Blocks until `bytes` bytes of rank `peer`'s `send` lie at `data`.
  virtual absl::Status receive(int64_t peer, void* data, int64_t bytes) = 0;

  /// Every rank gives a few words, and gets everyone's, in the order of ranks,
  /// in `all`: those of the oldest offer that it has not taken yet. Made for
  /// every step: where all ranks share memory it takes one wait for the last to
  /// come, a microsecond; else log2(size()) messages, one after the other. To
  /// offer blocks on nobody; at most kMostWordsOffered are not taken yet. To
  /// take blocks until all have offered theirs, or the world aborts.
  virtual absl::Status offerWords(const Words& mine) = 0;
  virtual absl::Status takeWords(std::vector<Words>& all) = 0;

  /// Both, one right behind the other.
  absl::Status exchangeWords(const Words& mine, std::vector<Words>& all) {
    if (absl::Status status = offerWords(mine); !status.ok()) return status;
    return takeWords(all);
  }

  /// Every rank gives a short text and gets everyone's, in the order of ranks.
  /// For set-up, not for steps: it goes over the control sockets.
  virtual absl::StatusOr<std::vector<std::string>> allGather(
      std::string_view text) = 0;

  /// Makes ranks agree on whether a phase went well: OK on every rank if it was
  /// OK on all; otherwise the error of the lowest rank that has one, on all,
  /// with "rank R: " before it unless it is the same everywhere. Every rank
  /// must call it; afterwards the world goes on. This is how N ranks report one
  /// user error once: agree, and let rank 0 print.
  virtual absl::Status agree(const absl::Status& mine) = 0;

  /// Ends the world early: every other rank's calls return "rank R (...)
  /// failed: message", on stderr too. Returns when the others have been told,
  /// or cannot be. May be called from any thread; `error` must not be OK. A
  /// cancelled one says that this process was told to end: no rank's fault, so
  /// that rank 0 alone says it, and the caller need not. An
  /// error that came from this communicator because the world had aborted
  /// already is not repeated.
  virtual void fail(const absl::Status& error) = 0;

  /// Ends the world in peace: blocks until every rank has called it. After it,
  /// only rank(), size(), arena(), bytesReceived() and the destructor may be
  /// called. A communicator that is destroyed without it counts as failed.
  virtual absl::Status finish() = 0;

  /// Says that this rank has got on with work of its own. A rank for which
  /// others wait and which neither comes nor says this for as long as
  /// World.h's waitTimeoutSeconds counts as hanging. Costs next to nothing.
  virtual void noteStep() = 0;

  /// OK while the world is alive, the verdict afterwards.
  virtual absl::Status abortStatus() const = 0;

  /// Bytes that this rank's collectives have taken from other ranks or given to
  /// them by message, so far; each byte counts once, at the rank that receives
  /// it.
  virtual int64_t bytesReceived() const = 0;

  /// How collectives travel, in a phrase for people: "shared memory, 4 ranks",
  /// "ucx between 2 hosts".
  virtual std::string description() const = 0;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_COMMUNICATOR_H_
