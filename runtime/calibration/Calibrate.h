// One rank of a calibration: measure together, and let rank 0 tell.

#ifndef RUNTIME_CALIBRATION_CALIBRATE_H_
#define RUNTIME_CALIBRATION_CALIBRATE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::calibration {

struct Options {
  int64_t numNodes = 1;
  int64_t ranksPerNode = 1;
  /// Bytes of the whole tensor, ascending. Empty: 1 KiB to 16 MiB, doubling.
  std::vector<int64_t> sizes;
  int64_t numRepetitions = 15;
  bool isJson = false;
  std::string outputPath;  // of the machine file; empty: none
};

/// What is wrong with the sizes, or nothing: from tensors of one size it cannot
/// be told what is latency and what bandwidth.
std::string checkSizes(const Options& options);

/// Joins the world that the environment describes, measures, and, on rank 0,
/// prints the findings to stdout, warnings to stderr, and writes the machine
/// file. Returns the exit code; what went wrong has been said.
int calibrate(const Options& options);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_CALIBRATE_H_
