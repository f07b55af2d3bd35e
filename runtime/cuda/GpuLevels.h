// The levels of a machine of GPUs, from the links between the GPUs of a host.
//
// GPUs with fast links form parts of equal size, and parts with slower links
// between them form larger parts. Four GPUs in two pairs with NVLink:
//
//   gpu 0 ══ gpu 1 ── PCIe ── gpu 2 ══ gpu 3
//   └── island 0 ──┘          └── island 1 ──┘      "island" x 2, "gpu" x 2

#ifndef RUNTIME_CUDA_GPULEVELS_H_
#define RUNTIME_CUDA_GPULEVELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/cuda/HostGpus.h"

namespace sbp::cuda {

/// A level of GPUs.
struct GpuLevel {
  std::string name;  // of a part: "gpu", "island", "socket" or "group"
  int64_t count = 1;
  GpuLink link = GpuLink::kNvlink;  // between the parts
  /// Rate of one GPU each way, while all GPUs exchange data over this level, by
  /// data sheets of the links. 0: unknown.
  double bytesPerSecond = 0;
};

/// The levels, outermost first.
struct GpuLevels {
  std::vector<GpuLevel> levels;
  /// Whether some GPUs have faster links to each other, which are not counted:
  /// the GPUs that they join are not groups of one size, do not follow each
  /// other, or lack such a link to a member of their group.
  bool hasUncountedLinks = false;
};

/// Returns the levels of the first `numGpus` GPUs of `host`.
GpuLevels gpuLevelsOf(const HostGpus& host, int64_t numGpus);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_GPULEVELS_H_
