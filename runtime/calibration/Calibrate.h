// Calibration of a machine: each rank runs calibrate(); all ranks measure
// together, and rank 0 reports.

#ifndef RUNTIME_CALIBRATION_CALIBRATE_H_
#define RUNTIME_CALIBRATION_CALIBRATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/main/CollectivesChoice.h"

namespace sbp::calibration {

/// The settings of a calibration, the same on all ranks.
struct Options {
  int64_t numNodes = 1;      // number of hosts
  int64_t ranksPerNode = 1;  // number of ranks on each host
  /// Whether each rank measures a GPU; otherwise a core.
  bool isForGpus = false;
  program::CollectivesChoice collectives = program::CollectivesChoice::kAuto;
  /// Sizes of the tensors to move, in bytes of the whole tensor. Empty: 1 KiB
  /// to 16 MiB, doubling, and to 64 MiB for GPUs.
  std::vector<int64_t> sizes;
  int64_t numRepetitions = 15;  // number of batches (Measure.h)
  bool isJson = false;          // prints toJson(), not toTable() (Report.h)
  std::string outputPath;       // the machine file; empty: none
};

/// Returns an error message if this host has too few GPUs for `options`, or no
/// driver. Otherwise returns an empty string.
std::string checkGpus(const Options& options);

/// Returns an error message if all sizes become the same number of bytes when
/// they are rounded for the number of ranks, because latency and bandwidth
/// cannot be told apart by a single size. Otherwise returns an empty string.
std::string checkSizes(const Options& options);

/// Joins the world that the environment describes, and measures together with
/// its other ranks. On rank 0, also prints the findings to stdout and warnings
/// to stderr, and writes the machine file. Returns the exit code: 0 on success;
/// kAbortedExitCode (Communicator.h) if another rank caused the end or reports
/// the error; otherwise 1. The error has then been printed by this or another
/// rank.
int calibrate(const Options& options);

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_CALIBRATE_H_
