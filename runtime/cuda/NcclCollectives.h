// Collectives and transfers between GPUs by NCCL, within a host and between
// hosts.
//
// The collectives of all communicators run in one stream, the one that
// communicates, in the order of the rank's tasks. The reason is that NCCL may
// deadlock if ranks run operations of several communicators in different
// orders. NCCL chooses the order in which it combines terms. So results may
// differ in the last bits from those of CPUs, of PeerCollectives and of other
// versions of NCCL.

#ifndef RUNTIME_CUDA_NCCLCOLLECTIVES_H_
#define RUNTIME_CUDA_NCCLCOLLECTIVES_H_

#include <cstdint>
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
#include "runtime/cuda/NcclCommunicators.h"
#include "runtime/cuda/NcclMessages.h"
#include "runtime/cuda/NcclSteps.h"
#include "runtime/cuda/RankLanes.h"
#include "runtime/cuda/RowMover.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// The collectives and transfers of one rank by NCCL.
class NcclCollectives : public communication::Collectives {
 public:
  /// Constructs the collectives of rank `rank`. `groups`, `lanes` and
  /// `communicators` must outlive this object.
  NcclCollectives(int64_t rank, const std::vector<plan::Group>& groups,
                  RankLanes& lanes, const NcclCommunicators& communicators,
                  std::unique_ptr<NcclMessages> messages);

  /// Prepares a collective. Fails if it is a sum of elements of type i1, which
  /// NCCL does not have (it is modulo 2).
  absl::StatusOr<std::shared_ptr<const communication::PreparedCollective>>
  prepare(const std::vector<plan::CollectiveTask>& tasks) const override;
  absl::Status run(
      const communication::PreparedCollective& collective,
      absl::Span<const communication::CollectiveBuffers> buffers) override;

  absl::StatusOr<std::shared_ptr<const communication::PreparedTransfer>>
  prepareTransfer(int64_t number) const override {
    return messages_->prepare(number);
  }
  absl::Status run(plan::TransferTask::Kind kind,
                   const communication::PreparedTransfer& transfer,
                   int64_t buffer, int64_t occurrence) override {
    return messages_->run(kind, transfer, buffer, occurrence);
  }
  bool canFinish(plan::TransferTask::Kind finish,
                 const communication::PreparedTransfer& transfer,
                 int64_t occurrence) const override {
    return messages_->canFinish(finish, transfer, occurrence);
  }
  int64_t bytesReceived() const override {
    return numBytesReceived_ + messages_->bytesReceived();
  }

 private:
  struct Collective;

  absl::Status runSteps(
      const Collective& collective,
      absl::Span<const communication::CollectiveBuffers> buffers, int64_t list,
      Lane& lane);
  absl::Status call(
      const NcclCall& call, const Collective& collective,
      absl::Span<const communication::CollectiveBuffers> buffers) const;

  const int64_t rank_;
  const std::vector<plan::Group>& groups_;
  const communication::Gates gates_;
  RankLanes& lanes_;
  const NcclCommunicators& communicators_;
  const NcclLibrary& nccl_;
  const std::unique_ptr<NcclMessages> messages_;
  mutable RowMover mover_;
  int64_t numBytesReceived_ = 0;
  mutable std::set<std::string> names_;  // of waits
  std::vector<int64_t> list_;            // kept, so that runs allocate nothing
  std::vector<MemoryOp> operations_;     // likewise
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_NCCLCOLLECTIVES_H_
