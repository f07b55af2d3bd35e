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
/// offsets in the rank's arena.
class Collectives {
 public:
  virtual ~Collectives() = default;

  /// Prepares what run() does in every step: the members of this rank's group,
  /// and which bytes of whose buffer go where. No other rank need call it.
  /// Several tasks are a bucket (plan::CollectiveTask::bucket): one collective
  /// that gives each task the same result as alone, bit for bit. The tasks must
  /// have passed the plan's checks. Fails if there is no task or more than
  /// plan::kMostInBucket, or if a buffer ends beyond the arena.
  virtual absl::StatusOr<std::shared_ptr<const PreparedCollective>> prepare(
      const std::vector<plan::CollectiveTask>& tasks) const = 0;

  /// Runs a collective; every member must call it. `buffers` are the buffers of
  /// its tensors, in the order of its tasks: those of the plan
  /// (PreparedCollective::buffers) or others. A task that is in place (`in` ==
  /// `out`) must be so here too, and a task that is not must not. Blocks until
  /// each `out` holds the result and nobody reads any `in` any more, or the
  /// world aborts. Fails if it finds a member that runs another collective.
  virtual absl::Status run(const PreparedCollective& collective,
                           absl::Span<const CollectiveBuffers> buffers) = 0;

  /// Prepares what this rank does in every step for transfer `number` of
  /// WorldOptions::transfers. No other rank need call it.
  virtual absl::StatusOr<std::shared_ptr<const PreparedTransfer>>
  prepareTransfer(int64_t number) const = 0;

  /// Starts or finishes one end of a transfer (plan::TransferTask). `buffer` is
  /// an offset in the arena, the same for start and finish. `occurrence`, in
  /// [0, Transfer::times) of WorldOptions::transfers, tells apart the runs of
  /// the transfer that may be under way at once, for different micro-batches
  /// and steps. A start never blocks. A finish blocks until the data of this
  /// rank has been sent or taken, or the data for it has come, or the world
  /// aborts.
  virtual absl::Status run(plan::TransferTask::Kind kind,
                           const PreparedTransfer& transfer, int64_t buffer,
                           int64_t occurrence) = 0;

  /// Whether `finish`, one of the two finishing kinds, would not block now.
  /// Requires that this end of the transfer has been started.
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
