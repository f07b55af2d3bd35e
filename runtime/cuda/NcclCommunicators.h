// The communicators of NCCL to which one rank belongs.

#ifndef RUNTIME_CUDA_NCCLCOMMUNICATORS_H_
#define RUNTIME_CUDA_NCCLCOMMUNICATORS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/NcclLibrary.h"
#include "runtime/cuda/NcclSplits.h"

namespace sbp::cuda {

/// The communicators of one rank: one for each split (NcclSplits.h) that puts
/// the rank into a communicator.
class NcclCommunicators {
 public:
  /// Loads NCCL, makes the communicators for `splits`, and runs a first
  /// operation on each of them. NCCL connects the members of a communicator
  /// during its first operation, so the first step need not wait for that.
  /// Every rank must call it, and gets the same status. Blocks until all ranks
  /// are connected. Fails if a rank has no NCCL, if ranks share a GPU and this
  /// version of NCCL does not permit that, or if NCCL has not connected the
  /// ranks within kMostSeconds; the error says what to do. `device` must
  /// outlive the result.
  static absl::StatusOr<std::unique_ptr<NcclCommunicators>> connect(
      NcclSplits splits, CudaDevice& device,
      communication::Communicator& communicator);

  /// Destroys the communicators, unless the GPU is abandoned (Gpu::abandon).
  ~NcclCommunicators();

  const NcclLibrary& nccl() const { return nccl_; }
  const NcclSplits& splits() const { return splits_; }

  /// Returns the communicator for collectives whose gate has the number `gate`
  /// (communication/Gates.h), or null if these have a single member.
  NcclHandle ofGate(uint64_t gate) const;

  /// Returns the communicator of a channel. This rank must be the sender, which
  /// has position 0 in the communicator, or the receiver, which has position 1.
  NcclHandle ofMessages(const MessageChannel& channel) const;

 private:
  /// Time after which connect() gives up.
  static constexpr int kMostSeconds = 120;

  NcclCommunicators(const NcclLibrary& nccl, NcclSplits splits,
                    CudaDevice& device, int64_t rank, int64_t numRanks)
      : nccl_(nccl),
        splits_(std::move(splits)),
        device_(device),
        rank_(rank),
        numRanks_(numRanks) {}

  /// Makes all communicators. `id` is the same on all ranks. Blocks as long as
  /// NCCL does.
  absl::Status make(const NcclUniqueId& id);
  absl::Status makePart(const NcclSplit& split, bool isForMessages,
                        NcclHandle* part) const;
  /// Runs a first small operation on each communicator.
  absl::Status warmUp(Stream& stream, Address word) const;
  bool isForMessages(size_t split) const;

  const NcclLibrary& nccl_;
  const NcclSplits splits_;
  CudaDevice& device_;
  const int64_t rank_, numRanks_;
  NcclHandle world_ = nullptr;
  // By split; null if the split puts this rank into no communicator.
  std::vector<NcclHandle> parts_;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_NCCLCOMMUNICATORS_H_
