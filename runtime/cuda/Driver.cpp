#include "runtime/cuda/Driver.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Paths of libcuda: where the loader finds it, and where distributions, WSL
/// and CUDA's package for older drivers put it.
constexpr const char* kLibraries[] = {
    "libcuda.so.1",
    "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
    "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
    "/usr/lib64/libcuda.so.1",
    "/usr/lib/libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
    "/usr/local/cuda/compat/libcuda.so.1",
};

absl::StatusOr<void*> openLibrary() {
  std::string tried;
  for (const char* library : kLibraries) {
    if (void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL)) return handle;
    if (tried.empty()) tried = dlerror();
  }
  return error(
      "this program runs on GPUs, but there is no libcuda.so.1, which comes "
      "with NVIDIA's driver ({}); install the driver, or set LD_LIBRARY_PATH "
      "to the folder that has the library",
      tried);
}

absl::StatusOr<Driver> load() {
  // Makes the driver load all functions of a module at once. Otherwise the
  // first launch of a function would load it, and wait for the device.
  setenv("CUDA_MODULE_LOADING", "EAGER", /*overwrite=*/0);
  // Streams that share a queue of the GPU wait for each other. There are at
  // most 32 queues, 8 by default.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", /*overwrite=*/0);
  SBP_ASSIGN_OR_RETURN(void* const handle, openLibrary());
  Driver driver = {};
  std::vector<std::string> missing;
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        dlsym(handle, name));
    if (!function) missing.emplace_back(name);
  };
  find("cuInit", driver.init);
  find("cuDriverGetVersion", driver.driverGetVersion);
  find("cuGetErrorName", driver.getErrorName);
  find("cuGetErrorString", driver.getErrorString);
  find("cuDeviceGetCount", driver.deviceGetCount);
  find("cuDeviceGet", driver.deviceGet);
  find("cuDeviceGetName", driver.deviceGetName);
  find("cuDeviceGetUuid", driver.deviceGetUuid);
  find("cuDeviceGetAttribute", driver.deviceGetAttribute);
  find("cuDevicePrimaryCtxRetain", driver.primaryContextRetain);
  find("cuCtxSetCurrent", driver.contextSetCurrent);
  find("cuModuleLoadDataEx", driver.moduleLoadDataEx);
  find("cuModuleGetFunction", driver.moduleGetFunction);
  find("cuMemGetInfo_v2", driver.memGetInfo);
  find("cuMemAlloc_v2", driver.memAlloc);
  find("cuMemFree_v2", driver.memFree);
  find("cuMemHostAlloc", driver.memHostAlloc);
  find("cuMemFreeHost", driver.memFreeHost);
  find("cuMemHostRegister_v2", driver.memHostRegister);
  find("cuMemHostUnregister", driver.memHostUnregister);
  find("cuMemcpyHtoDAsync_v2", driver.memcpyToDevice);
  find("cuMemcpyDtoHAsync_v2", driver.memcpyToHost);
  find("cuMemsetD8Async", driver.memsetBytes);
  find("cuMemsetD16Async", driver.memsetHalves);
  find("cuMemsetD32Async", driver.memsetWords);
  find("cuMemsetD2D32Async", driver.memsetRows);
  find("cuMemHostGetDevicePointer_v2", driver.memHostGetDevicePointer);
  find("cuIpcGetMemHandle", driver.ipcGetMemHandle);
  find("cuIpcOpenMemHandle_v2", driver.ipcOpenMemHandle);
  find("cuStreamCreate", driver.streamCreate);
  find("cuStreamDestroy_v2", driver.streamDestroy);
  find("cuStreamQuery", driver.streamQuery);
  find("cuStreamWaitEvent", driver.streamWaitEvent);
  find("cuEventCreate", driver.eventCreate);
  find("cuEventRecord", driver.eventRecord);
  find("cuEventDestroy_v2", driver.eventDestroy);
  find("cuLaunchKernel", driver.launchKernel);
  driver.streamBatchMemOp = reinterpret_cast<decltype(driver.streamBatchMemOp)>(
      dlsym(handle, "cuStreamBatchMemOp_v2"));
  if (!missing.empty())
    return error("libcuda.so.1 has no {}: NVIDIA's driver is too old",
                 fmt::join(missing, ", "));
  const Result initialized = driver.init(0);
  if (initialized == kNoDevice)
    return error(
        "this program runs on GPUs, but NVIDIA's driver finds none; is "
        "CUDA_VISIBLE_DEVICES set to what this machine has?");
  SBP_RETURN_IF_ERROR(driver.check(initialized, "cuInit"));
  return driver;
}

}  // namespace

absl::Status Driver::check(Result result, const char* call) const {
  if (result == 0) return absl::OkStatus();
  const char* name = nullptr;
  const char* text = nullptr;
  getErrorName(result, &name);
  getErrorString(result, &text);
  return error("{} failed: {} ({}): {}", call, name ? name : "unknown error",
               result, text ? text : "the driver does not say why");
}

absl::StatusOr<const Driver*> loadDriver() {
  static const absl::StatusOr<Driver> driver = load();
  if (!driver.ok()) return driver.status();
  return &*driver;
}

std::string driverVersionText(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace sbp::cuda
