#include "runtime/cuda/NvmlLibrary.h"

#include <iterator>

#include "runtime/library/SharedLibrary.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Paths of the library: where the loader finds it, and where distributions and
/// WSL put it.
constexpr const char* kLibraries[] = {
    "libnvidia-ml.so.1",
    "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1",
    "/usr/lib/aarch64-linux-gnu/libnvidia-ml.so.1",
    "/usr/lib64/libnvidia-ml.so.1",
    "/usr/lib/libnvidia-ml.so.1",
    "/usr/lib/wsl/lib/libnvidia-ml.so.1",
};

}  // namespace

absl::StatusOr<NvmlLibrary> NvmlLibrary::load() {
  absl::StatusOr<SharedLibrary> library =
      SharedLibrary::load({std::begin(kLibraries), std::end(kLibraries)});
  if (!library.ok()) return error("there is no libnvidia-ml.so.1");
  NvmlLibrary nvml = {};
  library->find("nvmlInit_v2", nvml.init);
  library->find("nvmlErrorString", nvml.errorString);
  library->find("nvmlDeviceGetHandleByPciBusId_v2",
                nvml.deviceGetHandleByPciBusId);
  library->find("nvmlDeviceGetNvLinkState", nvml.deviceGetNvLinkState);
  library->find("nvmlDeviceGetNvLinkVersion", nvml.deviceGetNvLinkVersion);
  library->find("nvmlDeviceGetNvLinkRemotePciInfo_v2",
                nvml.deviceGetNvLinkRemotePciInfo);
  library->find("nvmlDeviceGetTopologyCommonAncestor",
                nvml.deviceGetTopologyCommonAncestor);
  library->find("nvmlDeviceGetMaxPcieLinkGeneration",
                nvml.deviceGetMaxPcieLinkGeneration);
  library->find("nvmlDeviceGetMaxPcieLinkWidth",
                nvml.deviceGetMaxPcieLinkWidth);
  SBP_RETURN_IF_ERROR(library->checkComplete());
  if (const NvmlResult result = nvml.init(); result != 0)
    return error("nvmlInit_v2 failed: {} ({})", nvml.errorString(result),
                 result);
  return nvml;
}

}  // namespace sbp::cuda
