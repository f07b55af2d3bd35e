// What a calibration found, for people, for programs and for the compiler.

#ifndef RUNTIME_CALIBRATION_REPORT_H_
#define RUNTIME_CALIBRATION_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/calibration/DeviceSpeed.h"
#include "runtime/calibration/Measure.h"
#include "runtime/calibration/Prices.h"

namespace sbp::calibration {

struct Findings {
  std::string world;  // "shared memory, 4 ranks"
  std::vector<Sample> samples;
  std::vector<LevelPrices> levels;  // outermost first
  DeviceSpeed device;
};

/// How good the prices are.
struct FitQuality {
  Sample worst;
  double worstResidual = 0;  // signed: prices above what was measured are > 0
  int64_t numBad = 0;        // further off than kTolerance
};

FitQuality qualityOf(const Findings& findings);

/// A line per sample (collective, group, bytes, measured, priced, how far off),
/// then the machine in words.
std::string toTable(const Findings& findings);

/// The same as one JSON object per line: a "sample" each, "level", "device",
/// "fit".
std::string toJson(const Findings& findings);

/// A file with the `sbp.machine`, as sbpc --machine reads it; @host, or
/// @cluster of several hosts.
std::string toMachine(const Findings& findings);

/// One sentence on points that are too far off; empty if there are none.
std::string badFit(const Findings& findings);

/// One sentence on prices that came out at 0, because times did not grow with
/// the message or fell below any latency; empty if there are none. Nothing is
/// free, so noise has hidden what they are, even where all points are near.
std::string lostInNoise(const Findings& findings);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_REPORT_H_
