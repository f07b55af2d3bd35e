// The speed of one rank's core and memory while all ranks are busy.

#ifndef RUNTIME_CALIBRATION_DEVICESPEED_H_
#define RUNTIME_CALIBRATION_DEVICESPEED_H_

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"

namespace sbp::calibration {

/// The speed of a rank, and its share of the host's memory.
struct DeviceSpeed {
  double memoryBytes = 0;  // memory of the host / number of its ranks
  // Rate at which a = b + s c on long arrays reads and writes memory.
  double bytesPerSecond = 0;
  double f32FlopsPerSecond = 0;  // peak
  double f64FlopsPerSecond = 0;  // peak
};

/// Measures the speed on all ranks at once. Every rank must call it; all get
/// the rates of the slowest rank, each a median of several runs. The FLOP/s are
/// the peak of a core: independent multiply-adds on registers, in the widest
/// vectors of peakKernels() (PeakFlops.h). The kernels that the compiler makes
/// for products reach most of that peak; other kernels are limited by memory.
absl::StatusOr<DeviceSpeed> measureDevice(
    communication::Communicator& communicator, int64_t ranksPerNode);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_DEVICESPEED_H_
