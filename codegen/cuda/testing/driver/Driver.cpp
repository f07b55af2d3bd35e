// A stand-in for libcuda.so.1, NVIDIA's driver: a program for GPUs that is
// started with the folder of this library in LD_LIBRARY_PATH runs its kernels
// on this CPU. For tests only.
//
// It has the functions that the runtime calls (runtime/cuda/Driver.h). Work in
// a stream is done late (Stream.h), at the latest when the host waits for it.
// Environment variables choose what the GPU is like:
//
//   SBP_SIM_MEMORY   bytes of memory
//   SBP_SIM_CHIP     compute capability, 90 if it is not set
//   SBP_SIM_GPUS     number of GPUs, which are all alike; 1 if it is not set
//   SBP_SIM_SEED     seed of the times at which streams do their work
//   SBP_SIM_DRIVER   version of CUDA that the driver supports, 13000 if it is
//                    not set; one before 11.0 does not know PTX 7.0

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "codegen/cuda/testing/driver/Gpu.h"
#include "codegen/cuda/testing/driver/Stream.h"

using sbp::cuda::driver::Gpu;
using sbp::cuda::driver::Kernel;
using sbp::cuda::driver::Stream;

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

/// Sets `count` elements from `address` on to `value`.
template <typename Element>
int set(uint64_t address, Element value, size_t count, void* stream) {
  if (!Gpu::instance().holds(address, count * sizeof value))
    return kInvalidValue;
  return static_cast<Stream*>(stream)->add([=] {
    std::fill_n(reinterpret_cast<Element*>(address), count, value);
    return kSuccess;
  });
}

/// Copies `bytes` bytes, when the stream comes to it.
int copy(void* to, const void* from, size_t bytes, void* stream) {
  return static_cast<Stream*>(stream)->add([=] {
    std::memcpy(to, from, bytes);
    return kSuccess;
  });
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

int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes,
                         void* stream) {
  if (!Gpu::instance().holds(to, bytes)) return kInvalidValue;
  return copy(reinterpret_cast<void*>(to), from, bytes, stream);
}

int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* stream) {
  if (!Gpu::instance().holds(from, bytes)) return kInvalidValue;
  return copy(to, reinterpret_cast<const void*>(from), bytes, stream);
}

int cuMemsetD8Async(uint64_t address, unsigned char value, size_t count,
                    void* stream) {
  return set(address, value, count, stream);
}

int cuMemsetD32Async(uint64_t address, unsigned value, size_t count,
                     void* stream) {
  return set(address, value, count, stream);
}

int cuStreamCreate(void** stream, unsigned) {
  *stream = new Stream(numberFrom("SBP_SIM_SEED", 0));
  return kSuccess;
}

int cuStreamDestroy_v2(void* stream) {
  delete static_cast<Stream*>(stream);
  return kSuccess;
}

int cuStreamSynchronize(void* stream) {
  return static_cast<Stream*>(stream)->finish();
}

int cuLaunchKernel(void* function, unsigned gridX, unsigned, unsigned,
                   unsigned blockX, unsigned, unsigned, unsigned, void* stream,
                   void** parameters, void**) {
  const Kernel& kernel = *static_cast<Kernel*>(function);
  // The parameters are copied when the launch is started.
  std::vector<void*> buffers;
  for (size_t i = 0; i < kernel.numParameters; ++i)
    buffers.push_back(*static_cast<void**>(parameters[i]));
  return static_cast<Stream*>(stream)->add(
      [&kernel, gridX, blockX, buffers = std::move(buffers)] {
        return explain(Gpu::instance().run(kernel, gridX, blockX, buffers),
                       kLaunchFailed);
      });
}

}  // extern "C"
