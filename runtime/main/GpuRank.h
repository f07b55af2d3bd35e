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
#include "runtime/communication/RoutedCollectives.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Image.h"
#include "runtime/cuda/NcclCommunicators.h"
#include "runtime/cuda/Peers.h"
#include "runtime/cuda/RankLanes.h"
#include "runtime/main/Options.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// Returns the transfers of `entry` (an index into Plan::entries). In the
/// result, Transfer::times is the number of occurrences in all steps that can
/// be under way at the same time.
std::vector<plan::Transfer> transfersOf(const plan::Plan& plan, size_t entry);

/// The GPU of one rank, and the rank's collectives.
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

  /// Sets up the collectives by the routes that Options::collectives chooses
  /// (communication/RoutedCollectives.h), and connects the GPUs where a route
  /// needs this. Every rank must call it; all get the same status. Fails if two
  /// ranks run on one GPU and Options::mayShareGpu is false, or if
  /// Options::collectives permits a single route and this does not work.
  absl::Status connect(const Options& options);

  cuda::CudaDevice& device() { return *device_; }

  /// The collectives of this rank. Call it only after connect().
  communication::Collectives& collectives() { return *collectives_; }

  /// Returns notes for the user about collectives and transfers that use host
  /// memory: which ones these are, and why they do.
  std::vector<std::string> notes() const { return notes_; }

 private:
  GpuRank(const plan::Plan& plan, size_t entry,
          communication::Communicator& communicator)
      : plan_(plan),
        entry_(entry),
        communicator_(communicator),
        transfers_(transfersOf(plan, entry)) {}

  absl::Status checkNotShared() const;

  using Routes = std::vector<communication::Route>;
  /// Add a route to `routes`: addPeers() that of GPUs that read each other's
  /// memory, addNccl() that of NCCL, and addStaged() that through host memory.
  /// `lanes` is OK, or the reason why there are no lanes_. If `isOnlyWay`, they
  /// fail if the route cannot be made; otherwise they then leave it out. notes_
  /// say what does not take the route, and why.
  absl::Status addPeers(const absl::Status& lanes, bool isOnlyWay,
                        Routes& routes);
  absl::Status addNccl(const absl::Status& lanes, bool isOnlyWay,
                       Routes& routes);
  void addStaged(Routes& routes);

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
  std::unique_ptr<cuda::RankLanes> lanes_;  // null for staged collectives
  cuda::Peers peers_;
  std::unique_ptr<cuda::NcclCommunicators> nccl_;
  std::unique_ptr<communication::Collectives> collectives_;
  std::vector<std::string> notes_;
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_GPURANK_H_
