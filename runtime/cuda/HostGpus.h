// The GPUs of this host and the links between them, as NVIDIA's driver and NVML
// describe them. Nothing runs on the GPUs.

#ifndef RUNTIME_CUDA_HOSTGPUS_H_
#define RUNTIME_CUDA_HOSTGPUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace sbp::cuda {

/// The way of data between two GPUs, the fastest one first.
enum class GpuLink {
  kNvlink,   // NVLink, directly or through NVSwitches
  kPcie,     // PCIe, within a socket
  kSockets,  // PCIe, and from one socket to another
  kHost,     // the memory of the host: neither reaches the other's memory
};

/// A GPU. Figures are 0 where the driver or NVML does not state them.
struct HostGpu {
  std::string name;    // "NVIDIA H100 80GB HBM3"
  int capability = 0;  // 90 for sm_90
  int64_t memoryBytes = 0;
  int64_t multiprocessors = 0;
  double clockHz = 0;         // highest clock of the multiprocessors
  double bytesPerSecond = 0;  // bandwidth of the memory

  /// Bandwidth of its PCIe lanes, and of one NVLink, each way.
  double pcieBytesPerSecond = 0;
  double nvlinkBytesPerSecond = 0;
  /// Number of NVLinks to each GPU of the host, by the GPU's number, and to
  /// NVSwitches.
  std::vector<int64_t> directNvlinks;
  int64_t switchNvlinks = 0;

  /// The link to each GPU of the host, by the GPU's number. The own one is
  /// kNvlink.
  std::vector<GpuLink> links;
};

/// All GPUs that this process sees.
struct HostGpus {
  std::vector<HostGpu> gpus;  // by the driver's number; at least one

  /// The reason why NVML does not describe the links; empty if it does. Without
  /// NVML, GPUs that access each other's memory by atomic operations are taken
  /// to be joined by NVLink, and others that reach each other's memory by PCIe.
  std::string obstacleOfNvml;

  /// Asks the driver and NVML. Fails if there is no driver or no GPU; the error
  /// says what to do.
  static absl::StatusOr<HostGpus> find();
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_HOSTGPUS_H_
