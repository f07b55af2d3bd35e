// The functions of NVML, the library by which nvidia-smi asks NVIDIA's driver
// how GPUs are connected. It is loaded at run time, and its declarations are
// written here, so that no part of CUDA is needed to build the runtime.

#ifndef RUNTIME_CUDA_NVMLLIBRARY_H_
#define RUNTIME_CUDA_NVMLLIBRARY_H_

#include <string>

#include "absl/status/statusor.h"

namespace sbp::cuda {

using NvmlResult = int;  // nvmlReturn_t; 0: success
using NvmlDevice = struct nvmlDevice_st*;

/// Maximum number of NVLinks of a GPU.
inline constexpr unsigned kMostNvlinks = 18;

/// The place of a device on the PCI bus (nvmlPciInfo_t).
struct NvmlPciInfo {
  char legacyId[16] = {};
  unsigned domain = 0, bus = 0, device = 0;
  unsigned pciDeviceId = 0, pciSubsystemId = 0;
  char id[32] = {};
};

/// The nearest part of a host that two devices share (nvmlGpuTopologyLevel_t).
/// Up to kNvmlSocket, data between them need not pass from one socket to
/// another.
inline constexpr int kNvmlSocket = 40;

/// Pointers to the functions of libnvidia-ml.
struct NvmlLibrary {
  NvmlResult (*init)();
  const char* (*errorString)(NvmlResult);
  NvmlResult (*deviceGetHandleByPciBusId)(const char* id, NvmlDevice*);
  NvmlResult (*deviceGetNvLinkState)(NvmlDevice, unsigned link,
                                     unsigned* isActive);
  NvmlResult (*deviceGetNvLinkVersion)(NvmlDevice, unsigned link,
                                       unsigned* version);
  NvmlResult (*deviceGetNvLinkRemotePciInfo)(NvmlDevice, unsigned link,
                                             NvmlPciInfo*);
  NvmlResult (*deviceGetTopologyCommonAncestor)(NvmlDevice, NvmlDevice,
                                                int* level);
  NvmlResult (*deviceGetMaxPcieLinkGeneration)(NvmlDevice,
                                               unsigned* generation);
  NvmlResult (*deviceGetMaxPcieLinkWidth)(NvmlDevice, unsigned* numLanes);

  /// Loads libnvidia-ml and initialises it. Fails if there is none, or if it
  /// does not work.
  static absl::StatusOr<NvmlLibrary> load();
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_NVMLLIBRARY_H_
