// The device of a rank: a CPU or a GPU, as the program's kernels demand.

#ifndef RUNTIME_MAIN_RANKDEVICE_H_
#define RUNTIME_MAIN_RANKDEVICE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/communication/Collectives.h"
#include "runtime/communication/Communicator.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Peers.h"
#include "runtime/device/Device.h"
#include "runtime/execute/Executor.h"
#include "runtime/main/Options.h"
#include "runtime/main/ProgramCode.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// Returns the bytes of host memory that each rank needs to run `entry` (an
/// index into Plan::entries), in the order of ranks: the size of the arena of
/// its communicator. On a CPU the tensors lie there; on a GPU it is for
/// staging.
std::vector<int64_t> hostBytes(const plan::Plan& plan, size_t entry);

/// Returns the transfers that ranks run for `entry`, for all steps that are
/// under way at once.
std::vector<plan::Transfer> transfersOf(const plan::Plan& plan, size_t entry);

/// The device of a rank, and the collectives between the arenas of devices.
class RankDevice {
 public:
  /// Opens the device of the rank of `communicator`, whose arena has the size
  /// of hostBytes(). Everything given must outlive the device. Fails if the GPU
  /// cannot be opened (cuda/Gpu.h, cuda/CudaDevice.h).
  static absl::StatusOr<RankDevice> open(
      const plan::Plan& plan, size_t entry, const ProgramCode& code,
      const Options& options, communication::Communicator& communicator);

  /// Lets ranks reach each other's GPUs, as far as `options` say. Must be
  /// called before collectives are prepared, by every rank; all get the same
  /// status. Fails if two ranks run on one GPU, unless `options` let them.
  absl::Status connect(const Options& options);

  /// Returns the rank for an executor, after connect(). It refers to this
  /// object's parts.
  execute::Rank rank() const;

 private:
  explicit RankDevice(communication::Communicator& communicator)
      : communicator_(&communicator) {}

  absl::Status checkNotShared(const Options& options) const;

  communication::Communicator* communicator_;
  std::unique_ptr<device::Device> device_;
  /// What a GPU's collectives need; null on a CPU, where the communicator's own
  /// collectives serve.
  struct GpuParts {
    GpuParts(const plan::Plan& plan, size_t entry, cuda::CudaDevice& device)
        : plan(plan),
          entry(entry),
          device(device),
          transfers(transfersOf(plan, entry)) {}

    const plan::Plan& plan;
    const size_t entry;
    cuda::CudaDevice& device;
    const std::vector<plan::Transfer> transfers;
    cuda::Peers peers;
    std::unique_ptr<communication::Collectives> collectives;
  };
  std::unique_ptr<GpuParts> gpu_;
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_RANKDEVICE_H_
