// The speed of one rank's device and memory while all ranks are busy.

#ifndef RUNTIME_CALIBRATION_DEVICESPEED_H_
#define RUNTIME_CALIBRATION_DEVICESPEED_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"

namespace sbp::calibration {

/// The fraction of its peak rate that an op of `flops` FLOPs reaches.
struct Efficiency {
  double flops = 0;
  double fraction = 1;
};

/// The rate of a device for one element type.
struct TypeRate {
  std::string type;               // "f32"
  double flopsPerSecond = 0;      // peak
  std::vector<Efficiency> curve;  // ascending; empty: 1 for all ops
};

/// The speed of a device, and its memory.
struct DeviceSpeed {
  bool isGpu = false;
  double memoryBytes = 0;     // that tensors can have
  double launchSeconds = 0;   // time of a kernel besides its work
  double bytesPerSecond = 0;  // at which ops on long arrays read and write
  std::vector<TypeRate> rates;
  std::string ways;  // how it was measured, in a sentence
};

/// Measures the speed of CPUs on all ranks at once. The memory is the host's,
/// divided by the number of its ranks. Every rank must call it; all get the
/// rates of the slowest rank, each a median of several runs. The FLOP/s are
/// the peak of a core: independent multiply-adds on registers, in the widest
/// vectors of peakKernels() (PeakFlops.h). The kernels that the compiler makes
/// for products reach most of that peak; other kernels are limited by memory.
absl::StatusOr<DeviceSpeed> measureDevice(
    communication::Communicator& communicator, int64_t ranksPerNode);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_DEVICESPEED_H_
