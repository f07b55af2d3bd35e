// The device of a rank: a GPU if the program's kernels are for GPUs, otherwise
// the CPU.

#ifndef RUNTIME_MAIN_RANKDEVICE_H_
#define RUNTIME_MAIN_RANKDEVICE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/device/Device.h"
#include "runtime/execute/Executor.h"
#include "runtime/main/GpuRank.h"
#include "runtime/main/Options.h"
#include "runtime/main/ProgramCode.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// Returns the number of bytes of host memory that each rank needs to run
/// `entry` (an index into Plan::entries), in the order of ranks. This is the
/// size of the arena of the rank's communicator. On a CPU the arena holds the
/// tensors; for a GPU it is staging memory.
std::vector<int64_t> hostBytes(const plan::Plan& plan, size_t entry);

/// The device of a rank, and the collectives between the arenas of devices.
class RankDevice {
 public:
  /// Opens the device of the rank of `communicator`, whose arena has the size
  /// of hostBytes(). All arguments must outlive the device. Fails as
  /// GpuRank::open does.
  static absl::StatusOr<RankDevice> open(
      const plan::Plan& plan, size_t entry, const ProgramCode& code,
      const Options& options, communication::Communicator& communicator);

  /// Lets ranks reach each other's devices (GpuRank::connect). Must be called
  /// before collectives are prepared, by every rank; all get the same status.
  absl::Status connect(const Options& options) {
    return gpu_ ? gpu_->connect(options) : absl::OkStatus();
  }

  /// Returns the communicator, collectives and device for an executor. The
  /// result refers to parts of this object. Call it only after connect().
  execute::Rank rank() const;

  /// Returns notes about the device, for the user. Call it only after
  /// connect().
  std::vector<std::string> notes() const {
    return gpu_ ? gpu_->notes() : std::vector<std::string>();
  }

 private:
  explicit RankDevice(communication::Communicator& communicator)
      : communicator_(&communicator) {}

  communication::Communicator* communicator_;
  // One of the two is null.
  std::unique_ptr<device::Device> cpu_;
  std::unique_ptr<GpuRank> gpu_;
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_RANKDEVICE_H_
