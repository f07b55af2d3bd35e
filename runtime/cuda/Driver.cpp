#include "runtime/cuda/Driver.h"

#include <stdlib.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "runtime/library/SharedLibrary.h"
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

absl::StatusOr<Driver> load() {
  // Makes the driver load all functions of a module at once. Otherwise the
  // first launch of a function would load it, and wait for the device.
  setenv("CUDA_MODULE_LOADING", "EAGER", /*overwrite=*/0);
  // Streams that share a queue of the GPU wait for each other. There are at
  // most 32 queues, 8 by default.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", /*overwrite=*/0);
  absl::StatusOr<SharedLibrary> library =
      SharedLibrary::load({std::begin(kLibraries), std::end(kLibraries)});
  if (!library.ok())
    return error(
        "there is no libcuda.so.1, which comes with NVIDIA's driver ({}); "
        "install the driver, or set LD_LIBRARY_PATH to the folder that has the "
        "library",
        textOf(library.status()));
  Driver driver = {};
  library->find("cuInit", driver.init);
  library->find("cuDriverGetVersion", driver.driverGetVersion);
  library->find("cuGetErrorName", driver.getErrorName);
  library->find("cuGetErrorString", driver.getErrorString);
  library->find("cuDeviceGetCount", driver.deviceGetCount);
  library->find("cuDeviceGet", driver.deviceGet);
  library->find("cuDeviceGetName", driver.deviceGetName);
  library->find("cuDeviceGetUuid", driver.deviceGetUuid);
  library->find("cuDeviceGetAttribute", driver.deviceGetAttribute);
  library->find("cuDeviceGetP2PAttribute", driver.deviceGetPeerAttribute);
  library->find("cuDeviceGetPCIBusId", driver.deviceGetPciBusId);
  library->find("cuDeviceTotalMem_v2", driver.deviceTotalMem);
  library->find("cuDevicePrimaryCtxRetain", driver.primaryContextRetain);
  library->find("cuCtxSetCurrent", driver.contextSetCurrent);
  library->find("cuModuleLoadDataEx", driver.moduleLoadDataEx);
  library->find("cuModuleGetFunction", driver.moduleGetFunction);
  library->find("cuMemGetInfo_v2", driver.memGetInfo);
  library->find("cuMemAlloc_v2", driver.memAlloc);
  library->find("cuMemFree_v2", driver.memFree);
  library->find("cuMemHostAlloc", driver.memHostAlloc);
  library->find("cuMemFreeHost", driver.memFreeHost);
  library->find("cuMemHostRegister_v2", driver.memHostRegister);
  library->find("cuMemHostUnregister", driver.memHostUnregister);
  library->find("cuMemcpyHtoDAsync_v2", driver.memcpyToDevice);
  library->find("cuMemcpyDtoHAsync_v2", driver.memcpyToHost);
  library->find("cuMemsetD8Async", driver.memsetBytes);
  library->find("cuMemsetD16Async", driver.memsetHalves);
  library->find("cuMemsetD32Async", driver.memsetWords);
  library->find("cuMemsetD2D32Async", driver.memsetRows);
  library->find("cuMemHostGetDevicePointer_v2", driver.memHostGetDevicePointer);
  library->find("cuIpcGetMemHandle", driver.ipcGetMemHandle);
  library->find("cuIpcOpenMemHandle_v2", driver.ipcOpenMemHandle);
  library->find("cuStreamCreate", driver.streamCreate);
  library->find("cuStreamDestroy_v2", driver.streamDestroy);
  library->find("cuStreamQuery", driver.streamQuery);
  library->find("cuStreamWaitEvent", driver.streamWaitEvent);
  library->find("cuEventCreate", driver.eventCreate);
  library->find("cuEventRecord", driver.eventRecord);
  library->find("cuEventDestroy_v2", driver.eventDestroy);
  library->find("cuLaunchKernel", driver.launchKernel);
  library->find("cuStreamBeginCapture_v2", driver.streamBeginCapture);
  library->find("cuStreamEndCapture", driver.streamEndCapture);
  library->find("cuGraphLaunch", driver.graphLaunch);
  library->find("cuGraphDestroy", driver.graphDestroy);
  library->find("cuGraphExecDestroy", driver.graphExecDestroy);
  library->findOptional("cuGraphInstantiateWithFlags", driver.graphInstantiate);
  library->findOptional("cuStreamBatchMemOp_v2", driver.streamBatchMemOp);
  SBP_RETURN_IF_ERROR(library->checkComplete());
  const Result initialized = driver.init(0);
  if (initialized == kNoDevice)
    return error(
        "NVIDIA's driver finds no GPU; is CUDA_VISIBLE_DEVICES set to what "
        "this machine has?");
  SBP_RETURN_IF_ERROR(driver.check(initialized, "cuInit"));
  return driver;
}

/// Whether `result` reports that earlier work on the GPU has failed, such as a
/// kernel that accessed an illegal address. Any call may return such a result,
/// and no later call succeeds.
bool isOfEarlierWork(Result result) {
  constexpr Result kFirst = 700, kLast = 719;  // illegal address, launch failed
  constexpr Result kPeerErrors[] = {704, 705};
  return result >= kFirst && result <= kLast &&
         std::find(std::begin(kPeerErrors), std::end(kPeerErrors), result) ==
             std::end(kPeerErrors);
}

}  // namespace

absl::Status Driver::check(Result result, const char* call) const {
  if (result == 0) return absl::OkStatus();
  const char* name = nullptr;
  const char* text = nullptr;
  getErrorName(result, &name);
  getErrorString(result, &text);
  const std::string what =
      fmt::format("{} failed: {} ({}): {}", call, name ? name : "unknown error",
                  result, text ? text : "the driver does not say why");
  if (!isOfEarlierWork(result)) return error("{}", what);
  return error(
      "work on the GPU failed ({}); with --profile the host waits for each "
      "kernel, and the error names the one that failed",
      what);
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
