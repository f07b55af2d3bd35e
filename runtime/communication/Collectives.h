// Collectives and transfers between the arenas of ranks.

#ifndef RUNTIME_COMMUNICATION_COLLECTIVES_H_
#define RUNTIME_COMMUNICATION_COLLECTIVES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {

struct PreparedCollective;  // Collective.h
struct PreparedTransfer;    // GroupTransfer.h

/// A rank's part in the collectives and transfers of a program. Buffers are
/// offsets in the rank's arena. If the rank's device has queues
/// (device/Device.h), a function that is said to block may instead return at
/// once, and make later work in a queue wait.
class Collectives {
 public:
  virtual ~Collectives() = default;

  /// Prepares `tasks` for run(), once for all steps: finds the members, and
  /// which bytes of which member's buffer go where. Does not need other ranks
  /// to call it. Several tasks form a bucket (plan::CollectiveTask::bucket):
  /// they run as one collective, and each has the same result as if it ran
  /// alone, bit by bit. The tasks must have passed the plan's checks. Fails if
  /// there is no task or more than plan::kMostInBucket, or if a buffer ends
  /// beyond the arena.
  virtual absl::StatusOr<std::shared_ptr<const PreparedCollective>> prepare(
      const std::vector<plan::CollectiveTask>& tasks) const = 0;

  /// Runs a collective; every member must call it. `buffers` are the buffers of
  /// its tensors, in the order of its tasks. They may differ from the plan's
  /// buffers (PreparedCollective::buffers). But `in` must equal `out` for each
  /// task that is in place (`in` == `out`) in the plan, and for no other.
  /// Blocks until each `out` holds the result and no member reads any `in` any
  /// more, or the world aborts. Fails if it finds a member that runs another
  /// collective.
  virtual absl::Status run(const PreparedCollective& collective,
                           absl::Span<const CollectiveBuffers> buffers) = 0;

  /// Prepares this rank's part of transfer `number` of WorldOptions::transfers,
  /// once for all steps. Does not need other ranks to call it.
  virtual absl::StatusOr<std::shared_ptr<const PreparedTransfer>>
  prepareTransfer(int64_t number) const = 0;

  /// Starts or finishes one end of a transfer (plan::TransferTask). `buffer` is
  /// an offset in the arena, the same for start and finish. `occurrence`
  /// distinguishes the runs of the transfer that may be under way at the same
  /// time, for different micro-batches and steps. It is at least 0 and less
  /// than `times` of the transfer in WorldOptions::transfers. A start never
  /// blocks. A finish of a send blocks until the buffer may be changed; a
  /// finish of a receive, until the buffer holds the data. Both return if the
  /// world aborts.
  virtual absl::Status run(plan::TransferTask::Kind kind,
                           const PreparedTransfer& transfer, int64_t buffer,
                           int64_t occurrence) = 0;

  /// Whether run() with kind `finish`, which must be a finish, would return now
  /// without blocking. Requires that this end of the transfer has been started.
  virtual bool canFinish(plan::TransferTask::Kind finish,
                         const PreparedTransfer& transfer,
                         int64_t occurrence) const = 0;

  /// Returns the number of bytes that collectives and transfers run by this
  /// object have received so far from other ranks, by reading their memory or
  /// by message. Each byte counts once, at the rank that receives it.
  virtual int64_t bytesReceived() const = 0;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_COLLECTIVES_H_
