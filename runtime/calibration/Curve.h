// The rate of a GPU as a curve over the sizes of ops (dialects/sbp/Device.h),
// from measured times of kernels.

#ifndef RUNTIME_CALIBRATION_CURVE_H_
#define RUNTIME_CALIBRATION_CURVE_H_

#include <string>
#include <vector>

#include "runtime/calibration/DeviceSpeed.h"

namespace sbp::calibration {

/// A measured op.
struct TimedOp {
  double flops = 0;
  double seconds = 0;
};

/// Returns the rate of `type` with a point for each of `ops`, of which there is
/// at least one; FLOPs must ascend strictly. The peak is the best rate of an
/// op. Fractions have four digits. As a machine requires, no op takes less time
/// than one of fewer FLOPs: where noise says so, the smaller op is taken to be
/// as fast as the larger one.
TypeRate rateOf(const std::string& type, std::vector<TimedOp> ops);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_CURVE_H_
