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
#include "runtime/cuda/check/Costs.h"

namespace sbp::calibration {

/// Everything that a calibration has found.
struct Findings {
  std::string world;  // Communicator::description(): "shared memory, 4 ranks"
  std::vector<Sample> samples;      // empty if there is one rank
  std::vector<LevelPrices> levels;  // outermost first; not empty
  DeviceSpeed device;
  std::vector<cuda::Cost> costs;  // of operations of a GPU; empty for CPUs
};

/// The quality of the prices: how well they fit the samples.
struct FitQuality {
  Sample worst;              // the sample with the largest absolute residual
  double worstResidual = 0;  // of `worst`: priced / measured seconds - 1
  int64_t numBad = 0;        // number of samples off by more than kTolerance
};

/// Returns the quality of the fit over all samples.
FitQuality qualityOf(const Findings& findings);

/// Returns a table for people: a line per sample (level, collective, group,
/// bytes, measured time, priced time, relative error), then the prices, the
/// device and the worst fit.
std::string toTable(const Findings& findings);

/// Returns the findings as one JSON object per line: a "sample" for each
/// sample, a "level" for each level, then "device" and "fit".
std::string toJson(const Findings& findings);

/// Returns the text of a file with the `sbp.machine`, for sbpc --machine. The
/// machine is called @cluster if it has several hosts, otherwise @host.
std::string toMachine(const Findings& findings);

/// Returns a sentence about the samples whose priced time is off by more than
/// kTolerance; empty if there are none.
std::string badFit(const Findings& findings);

/// Returns a sentence about prices for which the fit has found 0: the latency
/// of the smallest messages, or the time per byte of the largest. Returns an
/// empty text if there are none. No message is free, so a price of 0 means that
/// noise has hidden the true price, even if all points fit.
std::string lostInNoise(const Findings& findings);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_REPORT_H_
