// The GPU of a rank, and the collectives between the arenas of GPUs.

#ifndef RUNTIME_MAIN_GPURANK_H_
#define RUNTIME_MAIN_GPURANK_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/communication/Collectives.h"
#include "runtime/communication/Communicator.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Image.h"
#include "runtime/cuda/PeerCollectives.h"
#include "runtime/cuda/Peers.h"
#include "runtime/main/Options.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// Returns the transfers of `entry` (an index into Plan::entries). If several
/// steps are under way at once, Transfer::times counts the occurrences in all
/// of them.
std::vector<plan::Transfer> transfersOf(const plan::Plan& plan, size_t entry);

/// A rank on a GPU; see above.
class GpuRank {
 public:
  /// Opens a GPU for the rank of `communicator`, and loads `images`. `plan` and
  /// `communicator` must outlive the result. Fails as cuda::Gpu::open(),
  /// cuda::Gpu::load() and cuda::CudaDevice::open() do.
  static absl::StatusOr<std::unique_ptr<GpuRank>> open(
      const plan::Plan& plan, size_t entry,
      const std::vector<cuda::Image>& images, const Options& options,
      communication::Communicator& communicator);

  /// Waits until the GPU has done its work. Does not wait if the GPU is
  /// abandoned (cuda::Gpu::abandon()), as its work may never end.
  ~GpuRank();

  /// Sets up the collectives. Lets ranks reach each other's memory, unless
  /// `options` choose collectives through the memory of the host. Every rank
  /// must call it, and all ranks get the same status. Fails if two ranks run on
  /// one GPU and `options` do not permit that.
  absl::Status connect(const Options& options);

  cuda::CudaDevice& device() { return *device_; }

  /// The collectives of this rank. Call it only after connect().
  communication::Collectives& collectives() { return *collectives_; }

  /// Returns notes for the user on collectives and transfers that go through
  /// the memory of the host, with the reasons.
  std::vector<std::string> notes() const { return notes_; }

 private:
  GpuRank(const plan::Plan& plan, size_t entry,
          communication::Communicator& communicator)
      : plan_(plan),
        entry_(entry),
        communicator_(communicator),
        transfers_(transfersOf(plan, entry)) {}

  absl::Status checkNotShared() const;
  absl::Status waitUntil(const std::function<bool()>& isReady);
  cuda::WaitUntil waiting() {
    return [this](const std::function<bool()>& isReady) {
      return waitUntil(isReady);
    };
  }

  const plan::Plan& plan_;
  const size_t entry_;
  communication::Communicator& communicator_;
  const std::vector<plan::Transfer> transfers_;
  std::unique_ptr<cuda::CudaDevice> device_;
  cuda::Peers peers_;
  cuda::PeerCollectives* withPeers_ = nullptr;  // one of collectives_
  std::unique_ptr<communication::Collectives> collectives_;
  std::vector<std::string> notes_;
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_GPURANK_H_
