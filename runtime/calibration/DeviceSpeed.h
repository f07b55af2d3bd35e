// What one rank's core and memory can do, while all ranks are at it.

#ifndef RUNTIME_CALIBRATION_DEVICESPEED_H_
#define RUNTIME_CALIBRATION_DEVICESPEED_H_

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"

namespace sbp::calibration {

struct DeviceSpeed {
  double memoryBytes = 0;     // of the host, divided by its ranks
  double bytesPerSecond = 0;  // read and written by a = b + s c
  double f32FlopsPerSecond = 0;
  double f64FlopsPerSecond = 0;
};

/// Measures on all ranks at once; every rank must call it, and gets the speed
/// of the slowest. FLOP/s are the peak of a core: independent multiply-adds on
/// registers, in the widest vectors that it has. The compiler's contractions
/// reach most of that, other kernels are bound by memory.
absl::StatusOr<DeviceSpeed> measureDevice(
    communication::Communicator& communicator, int64_t ranksPerNode);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_DEVICESPEED_H_
