// A stand-in for libcuda.so.1, NVIDIA's driver, with one GPU: a program for
// GPUs that is started with the folder of this library in LD_LIBRARY_PATH runs
// its kernels on this CPU. For tests only.
//
// It has the functions that the runtime calls (runtime/cuda/Driver.h). Work in
// a stream is done before the call returns. Environment variables choose
// faults:
//
//   SBP_SIM_MEMORY   bytes of memory of the GPU
//   SBP_SIM_CHIP     compute capability, 90 if it is not set
//   SBP_SIM_GPUS     number of GPUs, 1 if it is not set; they are all alike
//   SBP_SIM_DRIVER   version of CUDA that the driver supports, 13000 if it is
//   not
//                    set; one before 11.0 does not know PTX 7.0

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "codegen/cuda/testing/driver/Gpu.h"

using sbp::cuda::driver::Gpu;
using sbp::cuda::driver::Kernel;

namespace {

enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kUnsupportedPtx = 222,
  kNotFound = 500,
  kLaunchFailed = 719,
};

int numberFrom(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

int numGpus() { return numberFrom("SBP_SIM_GPUS", 1); }

int driverVersion() { return numberFrom("SBP_SIM_DRIVER", 13000); }

Result explain(const absl::Status& status, Result result) {
  if (status.ok()) return kSuccess;
  std::fprintf(stderr, "stand-in driver: %s\n",
               std::string(status.message()).c_str());
  return result;
}

/// The version of CUDA that brought PTX 7.0.
constexpr int kOldestCuda = 11000;

const char* nameOf(int result) {
  switch (result) {
    case kInvalidValue:
      return "CUDA_ERROR_INVALID_VALUE";
    case kOutOfMemory:
      return "CUDA_ERROR_OUT_OF_MEMORY";
    case kNoDevice:
      return "CUDA_ERROR_NO_DEVICE";
    case kInvalidDevice:
      return "CUDA_ERROR_INVALID_DEVICE";
    case kInvalidImage:
      return "CUDA_ERROR_INVALID_IMAGE";
    case kUnsupportedPtx:
      return "CUDA_ERROR_UNSUPPORTED_PTX_VERSION";
    case kNotFound:
      return "CUDA_ERROR_NOT_FOUND";
    case kLaunchFailed:
      return "CUDA_ERROR_LAUNCH_FAILED";
    default:
      return "CUDA_ERROR_UNKNOWN";
  }
}

int set(uint64_t address, size_t bytes, const void* pattern, size_t width) {
  if (!Gpu::instance().holds(address, bytes)) return kInvalidValue;
  auto* to = reinterpret_cast<char*>(address);
  for (size_t i = 0; i < bytes; i += width) std::memcpy(to + i, pattern, width);
  return kSuccess;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return numGpus() > 0 ? kSuccess : kNoDevice; }

int cuDriverGetVersion(int* version) {
  *version = driverVersion();
  return kSuccess;
}

int cuGetErrorName(int result, const char** name) {
  *name = nameOf(result);
  return kSuccess;
}

int cuGetErrorString(int result, const char** text) {
  *text = nameOf(result);
  return kSuccess;
}

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
  return kSuccess;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kMajor = 75, kMinor = 76;
  const int capability = numberFrom("SBP_SIM_CHIP", 90);
  if (attribute != kMajor && attribute != kMinor) return kInvalidValue;
  *value = attribute == kMajor ? capability / 10 : capability % 10;
  return kSuccess;
}

int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &Gpu::instance();
  return kSuccess;
}

int cuCtxSetCurrent(void*) { return kSuccess; }

int cuModuleLoadDataEx(void** module, const void* image, unsigned, int*,
                       void**) {
  if (driverVersion() < kOldestCuda) return kUnsupportedPtx;
  *module = &Gpu::instance();
  return explain(Gpu::instance().load(static_cast<const char*>(image)),
                 kInvalidImage);
}

int cuModuleGetFunction(void** function, void*, const char* name) {
  *function = Gpu::instance().find(name);
  return *function ? kSuccess : kNotFound;
}

int cuMemGetInfo_v2(size_t* free, size_t* total) {
  *free = Gpu::instance().freeBytes();
  *total = Gpu::instance().totalBytes();
  return kSuccess;
}

int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  *address = Gpu::instance().allocate(bytes);
  return *address ? kSuccess : kOutOfMemory;
}

int cuMemFree_v2(uint64_t address) {
  return Gpu::instance().free(address) ? kSuccess : kInvalidValue;
}

int cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
  *memory = std::malloc(bytes);
  return *memory ? kSuccess : kOutOfMemory;
}

int cuMemFreeHost(void* memory) {
  std::free(memory);
  return kSuccess;
}

int cuMemHostRegister_v2(void*, size_t, unsigned) { return kSuccess; }

int cuMemHostUnregister(void*) { return kSuccess; }

int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void*) {
  if (!Gpu::instance().holds(to, bytes)) return kInvalidValue;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return kSuccess;
}

int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void*) {
  if (!Gpu::instance().holds(from, bytes)) return kInvalidValue;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return kSuccess;
}

int cuMemsetD8Async(uint64_t address, unsigned char value, size_t count,
                    void*) {
  return set(address, count, &value, sizeof value);
}

int cuMemsetD32Async(uint64_t address, unsigned value, size_t count, void*) {
  return set(address, count * sizeof value, &value, sizeof value);
}

int cuStreamCreate(void** stream, unsigned) {
  *stream = &Gpu::instance();
  return kSuccess;
}

int cuStreamDestroy_v2(void*) { return kSuccess; }

int cuStreamSynchronize(void*) { return kSuccess; }

int cuLaunchKernel(void* function, unsigned gridX, unsigned, unsigned,
                   unsigned blockX, unsigned, unsigned, unsigned, void*,
                   void** parameters, void**) {
  return explain(Gpu::instance().run(*static_cast<Kernel*>(function), gridX,
                                     blockX, parameters),
                 kLaunchFailed);
}

}  // extern "C"
