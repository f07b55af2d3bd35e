#include "runtime/cuda/GpuLevels.h"

#include <algorithm>
#include <limits>

namespace sbp::cuda {
namespace {

/// Bytes per second between two sockets, each way, which the GPUs of a socket
/// share. NCCL assumes the same of Skylake (github.com/NVIDIA/nccl,
/// src/graph/topo.h, SKL_QPI_BW).
constexpr double kBetweenSockets = 10e9;

constexpr GpuLink kLinks[] = {GpuLink::kNvlink, GpuLink::kPcie,
                              GpuLink::kSockets, GpuLink::kHost};

/// Returns the size of the parts that links of `link` and faster ones join
/// among the first `numGpus` GPUs; 0 if the parts differ in size, do not follow
/// each other, or a part has two GPUs with a slower link.
int64_t partSize(const HostGpus& host, int64_t numGpus, GpuLink link) {
  const auto isJoined = [&](int64_t i, int64_t j) {
    return host.gpus[i].links[j] <= link;
  };
  int64_t size = 1;
  while (size < numGpus && isJoined(0, size)) ++size;
  if (numGpus % size != 0) return 0;
  for (int64_t i = 0; i < numGpus; ++i)
    for (int64_t j = 0; j < numGpus; ++j)
      if (isJoined(i, j) != (i / size == j / size)) return 0;
  return size;
}

/// Returns the least of `rate(i)` over the GPUs.
template <typename Rate>
double leastOf(int64_t numGpus, const Rate& rate) {
  double least = std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < numGpus; ++i) least = std::min(least, rate(i));
  return least;
}

/// Returns the rate of a GPU over links of kind `link` within parts of `size`
/// GPUs that consist of parts of `inner` GPUs.
double rateOf(const HostGpus& host, int64_t numGpus, GpuLink link, int64_t size,
              int64_t inner) {
  const auto pcie = [&](int64_t i) { return host.gpus[i].pcieBytesPerSecond; };
  switch (link) {
    case GpuLink::kNvlink:
      return leastOf(numGpus, [&](int64_t i) {
        const HostGpu& gpu = host.gpus[i];
        int64_t count = gpu.switchNvlinks;
        for (int64_t j = i / size * size; j < i / size * size + size; ++j)
          count += gpu.directNvlinks[j];
        return gpu.nvlinkBytesPerSecond * static_cast<double>(count);
      });
    case GpuLink::kPcie:
      return leastOf(numGpus, pcie);
    case GpuLink::kSockets:
      return kBetweenSockets / static_cast<double>(inner);
    case GpuLink::kHost:
      // Each byte is copied to the host, and then from there.
      return leastOf(numGpus, pcie) / 2;
  }
  return 0;
}

/// Returns the name of parts whose GPUs are joined by links of kind `link`.
const char* partName(GpuLink link) {
  switch (link) {
    case GpuLink::kNvlink:
      return "island";
    case GpuLink::kPcie:
      return "socket";
    case GpuLink::kSockets:
    case GpuLink::kHost:
      return "group";
  }
  return "";
}

}  // namespace

GpuLevels gpuLevelsOf(const HostGpus& host, int64_t numGpus) {
  GpuLevels found;
  int64_t inner = 1;
  GpuLink innerLink = GpuLink::kNvlink;  // that joins parts of `inner` GPUs
  for (GpuLink link : kLinks) {
    const int64_t size = partSize(host, numGpus, link);
    found.hasUncountedLinks |= size == 0;
    // One GPU has a level, too.
    if (size == 0 || (size == inner && numGpus > 1)) continue;
    if (numGpus == 1 && !found.levels.empty()) break;
    found.levels.insert(found.levels.begin(),
                        {inner == 1 ? "gpu" : partName(innerLink), size / inner,
                         link, rateOf(host, numGpus, link, size, inner)});
    inner = size;
    innerLink = link;
  }
  return found;
}

}  // namespace sbp::cuda
