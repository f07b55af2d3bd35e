// Calibration of GPUs: a rank of the calibration as a rank of a program for
// GPUs.
//
// The rank opens its GPU, and connects it with the others, by the classes that
// do so in a program (main/GpuRank.h). Its plan has the collectives that are
// measured, and its kernels are those of GpuKernels.h.

#ifndef RUNTIME_CALIBRATION_GPUCALIBRATION_H_
#define RUNTIME_CALIBRATION_GPUCALIBRATION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/calibration/DeviceSpeed.h"
#include "runtime/calibration/GpuKernels.h"
#include "runtime/calibration/Grid.h"
#include "runtime/communication/Communicator.h"
#include "runtime/cuda/check/Costs.h"
#include "runtime/execute/Executor.h"
#include "runtime/main/CollectivesChoice.h"
#include "runtime/main/GpuRank.h"
#include "runtime/plan/Plan.h"

namespace sbp::calibration {

/// Returns the levels of `numNodes` hosts like this one, with `ranksPerNode`
/// GPUs each, outermost first. Fails if this host has too few GPUs, or has no
/// driver; the error says what to do.
absl::StatusOr<std::vector<LevelExtent>> gpuLevels(int64_t numNodes,
                                                   int64_t ranksPerNode);

/// One rank of a calibration of GPUs.
class GpuCalibration {
 public:
  /// Plans the calibration of all ranks of `grid`. The largest tensors have
  /// about `largestBytes` bytes.
  static absl::StatusOr<std::unique_ptr<GpuCalibration>> plan(
      const Grid& grid, int64_t largestBytes);

  /// Returns the bytes of host memory that each rank needs for its collectives.
  std::vector<int64_t> hostBytes() const;

  /// Opens the GPU of this rank, and connects it with the others. Every rank
  /// must call it; all get the same status.
  absl::Status open(communication::Communicator& communicator,
                    program::CollectivesChoice collectives);

  /// Returns the rank. Call it and all that follows only after open().
  execute::Rank rank();

  /// Returns notes for the user about the ways of collectives.
  std::vector<std::string> notes() const { return gpu_->notes(); }

  /// Returns the name of this rank's GPU.
  std::string describe() { return gpu_->device().gpu().describe(); }

  /// Measures what operations cost on this rank's GPU, while the others wait.
  /// Every rank must call it; all get the costs of rank 0.
  absl::StatusOr<std::vector<cuda::Cost>> measureCosts();

  /// Measures the speed of all GPUs at once. `costs` are of measureCosts().
  /// Every rank must call it; all get the rates of the slowest one. Rates are
  /// those of products of square matrices, by the kernels that the compiler
  /// makes, without the time of a launch; the bandwidth is that of the sum of
  /// two long tensors. Matrices are at most as large as the largest tensors of
  /// collectives, or 64 KiB.
  absl::StatusOr<DeviceSpeed> measureDevice(
      const std::vector<cuda::Cost>& costs);

 private:
  GpuCalibration() = default;

  absl::Status fillArena();
  absl::StatusOr<double> secondsOf(const GpuKernel& run);

  GpuKernels kernels_;
  plan::Plan plan_;
  std::vector<GpuKernel> runs_;  // small enough for the arena
  communication::Communicator* communicator_ = nullptr;
  std::unique_ptr<program::GpuRank> gpu_;
};

}  // namespace sbp::calibration

#endif  // RUNTIME_CALIBRATION_GPUCALIBRATION_H_
