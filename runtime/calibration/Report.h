// Results of a calibration as text: for people, for programs and for the
// compiler.

#ifndef RUNTIME_CALIBRATION_REPORT_H_
#define RUNTIME_CALIBRATION_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/calibration/DeviceSpeed.h"
#include "runtime/calibration/Measure.h"
#include "runtime/calibration/Prices.h"

namespace sbp::calibration {

/// Everything that a calibration has found.
struct Findings {
  std::string world;  // "shared memory, 4 ranks"
  std::vector<Sample> samples;
  std::vector<LevelPrices> levels;  // outermost first
  DeviceSpeed device;
};

/// The quality of the fit of the prices to the samples.
struct FitQuality {
  Sample worst;              // with the largest absolute residual
  double worstResidual = 0;  // > 0: priced above measured (Fit.h)
  int64_t numBad = 0;        // samples off by more than kTolerance
};

/// Returns the quality of the fit over all samples.
FitQuality qualityOf(const Findings& findings);

/// Returns a table for people: a line per sample (collective, group, bytes,
/// measured time, priced time, relative error), then the prices and the device.
std::string toTable(const Findings& findings);

/// Returns the content of toTable() as one JSON object per line: a "sample"
/// each, then a "level" each, "device" and "fit".
std::string toJson(const Findings& findings);

/// Returns the text of a file with the `sbp.machine`, for sbpc --machine. It is
/// called @host, or @cluster if it has several hosts.
std::string toMachine(const Findings& findings);

/// Returns a sentence on the samples that are off by more than kTolerance;
/// empty if there are none.
std::string badFit(const Findings& findings);

/// Returns a sentence on prices that came out at 0, because times did not grow
/// with the message or fell below any latency; empty if there are none. No
/// message is free, so noise has hidden the price, even where all points fit.
std::string lostInNoise(const Findings& findings);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_REPORT_H_
