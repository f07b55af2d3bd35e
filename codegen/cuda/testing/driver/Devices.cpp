// The functions of the stand-in driver that describe its GPUs. Driver.cpp lists
// the environment variables that choose them.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "codegen/cuda/testing/driver/Figures.h"
#include "codegen/cuda/testing/driver/Links.h"
#include "codegen/cuda/testing/driver/Results.h"
#include "codegen/cuda/testing/driver/SimulatedGpu.h"

using namespace sbp::cuda::driver;
using namespace sbp::cuda::driver::results;

extern "C" {

int cuInit(unsigned) { return numGpus() > 0 ? kSuccess : kNoDevice; }

int cuDeviceGetCount(int* count) {
  *count = numGpus();
  return kSuccess;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal < numGpus() ? kSuccess : kInvalidDevice;
}

int cuDeviceGetName(char* name, int bytes, int) {
  std::snprintf(name, bytes, "Stand-in");
  return kSuccess;
}

int cuDeviceGetUuid(char* uuid, int device) {
  std::memset(uuid, device, 16);
  // GPUs of different hosts differ.
  if (const char* host = std::getenv("SBP_HOST_ID"))
    std::strncpy(uuid + 1, host, 15);
  return kSuccess;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kClock = 13, kMultiprocessors = 16, kMemoryClock = 36,
                kMemoryBusWidth = 37, kMajor = 75, kMinor = 76,
                kStreamMemoryOps = 122;
  const int capability = sbp::cuda::driver::capability();
  const Figures& figures = figuresOf(capability);
  switch (attribute) {
    case kClock:
      *value = 1000 * figures.clockMhz;
      return kSuccess;
    case kMultiprocessors:
      *value = figures.multiprocessors;
      return kSuccess;
    case kMemoryClock:
      *value = 1000 * figures.memoryMhz;
      return kSuccess;
    case kMemoryBusWidth:
      *value = figures.memoryBits;
      return kSuccess;
    case kMajor:
      *value = capability / 10;
      return kSuccess;
    case kMinor:
      *value = capability % 10;
      return kSuccess;
    case kStreamMemoryOps:
      *value = 1;
      return kSuccess;
    default:
      return kInvalidValue;
  }
}

int cuDeviceGetP2PAttribute(int* value, int attribute, int one, int other) {
  constexpr int kAccess = 2, kAtomics = 3;
  const bool isReached = links() != "alone" && numberFrom("SBP_SIM_PEERS", 1);
  if (attribute != kAccess && attribute != kAtomics) return kInvalidValue;
  *value = isReached && (attribute == kAccess || areNvlinked(one, other));
  return kSuccess;
}

int cuDeviceGetPCIBusId(char* id, int bytes, int device) {
  std::snprintf(id, bytes, "0000:%02X:00.0", busOf(device));
  return kSuccess;
}

int cuDeviceTotalMem_v2(size_t* bytes, int) {
  *bytes = SimulatedGpu::instance().totalBytes();
  return kSuccess;
}

}  // extern "C"
