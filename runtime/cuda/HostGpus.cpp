#include "runtime/cuda/HostGpus.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "absl/status/status.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/NvmlLibrary.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Bytes per second of one PCIe lane, each way, by generation (from 1 on), with
/// the encoding of the generation.
constexpr double kPcieLane[] = {0.25e9,  0.5e9,   0.985e9,
                                1.969e9, 3.938e9, 7.563e9};

/// Bytes per second of one NVLink, each way, by version (from 1 on). Data
/// sheets: P100, V100, A100, H100, B200.
constexpr double kNvlink[] = {20e9, 25e9, 25e9, 25e9, 50e9};

/// The same for chips of GeForce and RTX cards that have NVLink, GA102 (NVIDIA,
/// "Ampere GA102 GPU Architecture").
constexpr int kGa102 = 86;
constexpr double kNvlinkOfGa102 = 14.0625e9;

/// Returns element `number`, from 1 on, of `rates`; the last one for later
/// numbers, and 0 for 0.
template <size_t N>
double rateOf(const double (&rates)[N], unsigned number) {
  if (number == 0) return 0;
  return rates[std::min<size_t>(number, N) - 1];
}

/// Asks the driver for the facts of a GPU.
class DriverFacts {
 public:
  DriverFacts(const Driver& driver, DeviceId device)
      : driver_(driver), device_(device) {}

  absl::StatusOr<HostGpu> read() const {
    HostGpu gpu;
    char name[256] = {};
    SBP_RETURN_IF_ERROR(driver_.check(
        driver_.deviceGetName(name, sizeof name, device_), "cuDeviceGetName"));
    gpu.name = name;
    size_t bytes = 0;
    SBP_RETURN_IF_ERROR(driver_.check(driver_.deviceTotalMem(&bytes, device_),
                                      "cuDeviceTotalMem"));
    gpu.memoryBytes = static_cast<int64_t>(bytes);
    gpu.capability =
        10 * attribute(kAttributeMajor) + attribute(kAttributeMinor);
    gpu.multiprocessors = attribute(kAttributeMultiprocessors);
    gpu.clockHz = 1e3 * attribute(kAttributeClock);
    // Memory moves a bit per wire at both edges of its clock.
    gpu.bytesPerSecond = 2 * 1e3 * attribute(kAttributeMemoryClock) *
                         attribute(kAttributeMemoryBusWidth) / 8;
    return gpu;
  }

  absl::StatusOr<std::string> pciBusId() const {
    char id[32] = {};
    SBP_RETURN_IF_ERROR(
        driver_.check(driver_.deviceGetPciBusId(id, sizeof id, device_),
                      "cuDeviceGetPCIBusId"));
    return std::string(id);
  }

  /// Whether this GPU has the attribute kPeer... with regard to `other`.
  bool reaches(DeviceId other, int attribute) const {
    int value = 0;
    return driver_.deviceGetPeerAttribute(&value, attribute, device_, other) ==
               0 &&
           value != 0;
  }

 private:
  /// Returns 0 if the driver does not know the attribute.
  int attribute(int attribute) const {
    int value = 0;
    if (driver_.deviceGetAttribute(&value, attribute, device_) != 0) return 0;
    return value;
  }

  const Driver& driver_;
  const DeviceId device_;
};

/// Asks NVML how GPUs are linked.
class NvmlLinks {
 public:
  /// Finds the GPUs whose identities on the PCI bus are `ids`.
  static absl::StatusOr<NvmlLinks> of(const std::vector<std::string>& ids) {
    NvmlLinks links;
    SBP_ASSIGN_OR_RETURN(links.nvml_, NvmlLibrary::load());
    for (const std::string& id : ids) {
      Node& node = links.nodes_.emplace_back();
      if (const NvmlResult result =
              links.nvml_.deviceGetHandleByPciBusId(id.c_str(), &node.device);
          result != 0)
        return error("NVML does not know the GPU at {}: {}", id,
                     links.nvml_.errorString(result));
      std::sscanf(id.c_str(), "%x:%x:%x", &node.domain, &node.bus,
                  &node.number);
    }
    return links;
  }

  /// Adds to `gpu`, number `number`, the rates and numbers of its links.
  void addTo(HostGpu& gpu, size_t number) const {
    const NvmlDevice device = nodes_[number].device;
    unsigned generation = 0, numLanes = 0;
    if (nvml_.deviceGetMaxPcieLinkGeneration(device, &generation) == 0 &&
        nvml_.deviceGetMaxPcieLinkWidth(device, &numLanes) == 0)
      gpu.pcieBytesPerSecond = rateOf(kPcieLane, generation) * numLanes;
    for (unsigned link = 0; link < kMostNvlinks; ++link) {
      unsigned isActive = 0;
      if (nvml_.deviceGetNvLinkState(device, link, &isActive) != 0 || !isActive)
        continue;
      unsigned version = 0;
      if (nvml_.deviceGetNvLinkVersion(device, link, &version) == 0)
        gpu.nvlinkBytesPerSecond = gpu.capability == kGa102
                                       ? kNvlinkOfGa102
                                       : rateOf(kNvlink, version);
      // A link that does not end at a GPU of this host ends at an NVSwitch. On
      // some hosts the switch is hidden, and has no place on the PCI bus.
      NvmlPciInfo remote;
      const bool isKnown =
          nvml_.deviceGetNvLinkRemotePciInfo(device, link, &remote) == 0;
      const auto end =
          std::find_if(nodes_.begin(), nodes_.end(), [&](const Node& node) {
            return isKnown && node.domain == remote.domain &&
                   node.bus == remote.bus && node.number == remote.device;
          });
      if (end == nodes_.end())
        ++gpu.switchNvlinks;
      else
        ++gpu.directNvlinks[end - nodes_.begin()];
    }
  }

  /// Whether data between two GPUs need not pass from one socket to another.
  bool shareSocket(size_t one, size_t other) const {
    int level = 0;
    return nvml_.deviceGetTopologyCommonAncestor(
               nodes_[one].device, nodes_[other].device, &level) != 0 ||
           level <= kNvmlSocket;
  }

 private:
  /// A GPU, and its place on the PCI bus.
  struct Node {
    NvmlDevice device = nullptr;
    unsigned domain = 0, bus = 0, number = 0;
  };

  NvmlLibrary nvml_ = {};
  std::vector<Node> nodes_;
};

}  // namespace

absl::StatusOr<HostGpus> HostGpus::find() {
  SBP_ASSIGN_OR_RETURN(const Driver* const driver, loadDriver());
  int count = 0;
  SBP_RETURN_IF_ERROR(
      driver->check(driver->deviceGetCount(&count), "cuDeviceGetCount"));
  if (count == 0) return error("NVIDIA's driver shows no GPU");
  HostGpus host;
  std::vector<DeviceId> devices(count);
  std::vector<std::string> ids;
  for (int i = 0; i < count; ++i) {
    SBP_RETURN_IF_ERROR(
        driver->check(driver->deviceGet(&devices[i], i), "cuDeviceGet"));
    const DriverFacts facts(*driver, devices[i]);
    SBP_ASSIGN_OR_RETURN(host.gpus.emplace_back(), facts.read());
    SBP_ASSIGN_OR_RETURN(ids.emplace_back(), facts.pciBusId());
    host.gpus.back().directNvlinks.resize(count);
    host.gpus.back().links.resize(count, GpuLink::kNvlink);
  }
  const absl::StatusOr<NvmlLinks> nvml = NvmlLinks::of(ids);
  if (nvml.ok())
    for (int i = 0; i < count; ++i) nvml->addTo(host.gpus[i], i);
  else
    host.obstacleOfNvml = textOf(nvml.status());
  const auto linkOf = [&](int from, int to) {
    const HostGpu& one = host.gpus[from];
    const HostGpu& other = host.gpus[to];
    const DriverFacts facts(*driver, devices[from]);
    if (!facts.reaches(devices[to], kPeerAccess)) return GpuLink::kHost;
    const bool isNvlink =
        nvml.ok() ? one.directNvlinks[to] > 0 ||
                        (one.switchNvlinks > 0 && other.switchNvlinks > 0)
                  : facts.reaches(devices[to], kPeerAtomics);
    if (isNvlink) return GpuLink::kNvlink;
    return !nvml.ok() || nvml->shareSocket(from, to) ? GpuLink::kPcie
                                                     : GpuLink::kSockets;
  };
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      if (i != j) host.gpus[i].links[j] = linkOf(i, j);
  return host;
}

}  // namespace sbp::cuda
