// Collectives and transfers between GPUs of one host that reach each other's
// memory.
//
// A collective consists of the same steps as between CPUs
// (communication/Collective.h). But the streams of the GPUs carry out the
// steps; the hosts only put them into the streams, in advance:
//
//   gate       a stream writes a word on the board of its rank (PeerBoard.h),
//              and waits until the other members have written their words
//   phase      a function on the GPU reads the members' buffers in place, and
//              copies or combines the rows (RowKernels.h)
//
// Terms are combined in the order of the members, so results have the same bits
// as on CPUs.
//
// In a transfer, the sender's stream writes a word on its board when the data
// are in the buffer. The receiver's GPU has a stream of its own for receives,
// which waits for the word and then copies the data. So the stream that
// computes waits only when it needs the data.

#ifndef RUNTIME_CUDA_PEERCOLLECTIVES_H_
#define RUNTIME_CUDA_PEERCOLLECTIVES_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/communication/Collective.h"
#include "runtime/communication/Collectives.h"
#include "runtime/communication/Gates.h"
#include "runtime/communication/GroupTransfer.h"
#include "runtime/cuda/Lane.h"
#include "runtime/cuda/Peers.h"
#include "runtime/cuda/RankLanes.h"
#include "runtime/cuda/RowMover.h"
#include "runtime/cuda/Stream.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// The collectives and transfers of one rank with its peers (Peers.h).
class PeerCollectives : public communication::Collectives {
 public:
  /// Returns the layout of the boards of ranks that run `transfers` between
  /// `groups`.
  static BoardLayout layoutFor(const std::vector<plan::Group>& groups,
                               const std::vector<plan::Transfer>& transfers);

  /// Constructs the collectives of rank `rank`. The boards of `lanes` and of
  /// `peers` must have the layout layoutFor(groups, transfers). All arguments
  /// must outlive this object.
  PeerCollectives(int64_t rank, const std::vector<plan::Group>& groups,
                  const std::vector<plan::Transfer>& transfers,
                  RankLanes& lanes, const Peers& peers);

  absl::StatusOr<std::shared_ptr<const communication::PreparedCollective>>
  prepare(const std::vector<plan::CollectiveTask>& tasks) const override;
  absl::Status run(
      const communication::PreparedCollective& collective,
      absl::Span<const communication::CollectiveBuffers> buffers) override;
  absl::StatusOr<std::shared_ptr<const communication::PreparedTransfer>>
  prepareTransfer(int64_t number) const override;
  absl::Status run(plan::TransferTask::Kind kind,
                   const communication::PreparedTransfer& transfer,
                   int64_t buffer, int64_t occurrence) override;
  bool canFinish(plan::TransferTask::Kind finish,
                 const communication::PreparedTransfer& transfer,
                 int64_t occurrence) const override;
  int64_t bytesReceived() const override { return numBytesReceived_; }

 private:
  struct Collective;
  struct Transfer;

  absl::Status prepareOwners(Collective& collective) const;
  absl::Status preparePhases(Collective& collective) const;

  /// Adds to operations_ the operations that reach the gate of `collective`
  /// once more, and wait there for the other members.
  void passGate(const Collective& collective);
  absl::Status startReceive(const Transfer& transfer, int64_t buffer,
                            int64_t occurrence);
  absl::StatusOr<Lane*> receiveLane(int64_t sourceGroup);

  const int64_t rank_;
  const std::vector<plan::Group>& groups_;
  const std::vector<plan::Transfer>& transfers_;
  const communication::Gates gates_;
  RankLanes& lanes_;
  const Peers& peers_;
  mutable RowMover mover_;
  // Lanes of receives, by source group, and their streams.
  std::deque<Stream> receiveStreams_;
  std::map<int64_t, Lane> receiveLanes_;
  std::vector<uint32_t> gatesPassed_;            // by gate
  std::vector<uint32_t> numSent_, numReceived_;  // by cell
  int64_t numBytesReceived_ = 0;
  mutable std::set<std::string> names_;  // of waits
  std::vector<int64_t> list_;            // kept, so that runs allocate nothing
  std::vector<MemoryOp> operations_;     // likewise
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_PEERCOLLECTIVES_H_
