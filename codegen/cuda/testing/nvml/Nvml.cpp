// A stand-in for libnvidia-ml.so.1, by which programs ask how GPUs are linked.
// It has the functions that the runtime calls (runtime/cuda/NvmlLibrary.h), and
// describes the GPUs of the stand-in for NVIDIA's driver
// (codegen/cuda/testing/driver). For tests only.
//
// Environment variables, besides those of Links.h:
//
//   SBP_SIM_NVML   0: nvmlInit fails

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "codegen/cuda/testing/driver/Links.h"

using namespace sbp::cuda::driver;

namespace {

enum Result : int {
  kSuccess = 0,
  kNotSupported = 3,
  kNotFound = 6,
  kDriverNotLoaded = 9,
};

/// Number of NVLinks of each GPU to a switch, and to another GPU.
constexpr unsigned kSwitchLinks = 18;
constexpr unsigned kPeerLinks = 4;

/// nvmlPciInfo_t.
struct PciInfo {
  char legacyId[16];
  unsigned domain, bus, device, pciDeviceId, pciSubsystemId;
  char id[32];
};

/// Handles of devices are their numbers, from 1 on.
int numberOf(void* device) {
  return static_cast<int>(reinterpret_cast<intptr_t>(device)) - 1;
}

unsigned numLinks(int gpu) {
  if (links() == "switch") return kSwitchLinks;
  return nvlinkPeer(gpu) >= 0 ? kPeerLinks : 0;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return numberFrom("SBP_SIM_NVML", 1) == 0 ? kDriverNotLoaded : kSuccess;
}

const char* nvmlErrorString(int result) {
  switch (result) {
    case kNotSupported:
      return "Not Supported";
    case kNotFound:
      return "Not Found";
    case kDriverNotLoaded:
      return "Driver Not Loaded";
    default:
      return "Success";
  }
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
  unsigned domain = 0, bus = 0;
  if (std::sscanf(id, "%x:%x:", &domain, &bus) != 2) return kNotFound;
  for (int gpu = 0; gpu < numGpus(); ++gpu) {
    if (busOf(gpu) != static_cast<int>(bus)) continue;
    *device = reinterpret_cast<void*>(intptr_t{gpu + 1});
    return kSuccess;
  }
  return kNotFound;
}

int nvmlDeviceGetNvLinkState(void* device, unsigned link, unsigned* isActive) {
  if (numLinks(numberOf(device)) == 0) return kNotSupported;
  *isActive = link < numLinks(numberOf(device));
  return kSuccess;
}

int nvmlDeviceGetNvLinkVersion(void*, unsigned, unsigned* version) {
  const int generation = capability() / 10;
  *version = generation == 8 ? 3 : generation == 9 ? 4 : 5;
  return kSuccess;
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(void* device, unsigned link,
                                        PciInfo* remote) {
  const int gpu = numberOf(device);
  if (link >= numLinks(gpu)) return kNotSupported;
  constexpr unsigned kBusOfSwitch = 5;
  *remote = {};
  remote->bus = nvlinkPeer(gpu) >= 0 ? busOf(nvlinkPeer(gpu)) : kBusOfSwitch;
  std::snprintf(remote->id, sizeof remote->id, "00000000:%02X:00.0",
                remote->bus);
  return kSuccess;
}

int nvmlDeviceGetTopologyCommonAncestor(void* one, void* other, int* level) {
  constexpr int kNode = 40, kSystem = 50;
  const auto socketOf = [](void* device) {
    return numberOf(device) < numGpus() / 2 ? 0 : 1;
  };
  const bool areApart =
      links() == "sockets" && socketOf(one) != socketOf(other);
  *level = areApart ? kSystem : kNode;
  return kSuccess;
}

int nvmlDeviceGetMaxPcieLinkGeneration(void*, unsigned* generation) {
  *generation = capability() >= 90 ? 5 : 4;
  return kSuccess;
}

int nvmlDeviceGetMaxPcieLinkWidth(void*, unsigned* numLanes) {
  *numLanes = 16;
  return kSuccess;
}

}  // extern "C"
