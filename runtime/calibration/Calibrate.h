// Calibration of a machine, as one of its ranks runs it: all ranks measure
// together, and rank 0 reports.

#ifndef RUNTIME_CALIBRATION_CALIBRATE_H_
#define RUNTIME_CALIBRATION_CALIBRATE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace sbp::calibration {

struct Options {
  int64_t numNodes = 1;
  int64_t ranksPerNode = 1;
  /// Sizes of the tensors to move, in bytes of the whole tensor. Empty: 1 KiB
  /// to 16 MiB, doubling.
  std::vector<int64_t> sizes;
  int64_t numRepetitions = 15;
  bool isJson = false;
  std::string outputPath;  // the machine file; empty: none
};

/// Returns an error message if all sizes amount to the same number of bytes,
/// else an empty string: one size does not tell latency from bandwidth.
std::string checkSizes(const Options& options);

/// Joins the world that the environment describes, measures, and, on rank 0,
/// prints the findings to stdout and warnings to stderr, and writes the machine
/// file. Returns the exit code, after any error has been printed.
int calibrate(const Options& options);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_CALIBRATE_H_
