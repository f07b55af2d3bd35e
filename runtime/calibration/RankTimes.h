// Times of all ranks of a calibration, and statistics of repeated times.

#ifndef RUNTIME_CALIBRATION_RANKTIMES_H_
#define RUNTIME_CALIBRATION_RANKTIMES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"

namespace sbp::calibration {

/// Returns the seconds of a steady clock.
double secondsNow();

/// Returns the lower quartile of `values`. Disturbances (other processes, a
/// rank that is descheduled) only ever add time, so the measurement relies on a
/// quarter of the values being undisturbed.
double lowerQuartile(std::vector<double> values);

/// Returns, for each index, the greatest value that any rank has in `mine`.
/// Every rank must call it, with equally many values.
absl::StatusOr<std::vector<double>> greatestOfRanks(
    communication::Communicator& communicator, const std::vector<double>& mine);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_RANKTIMES_H_
