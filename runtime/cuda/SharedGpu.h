// Finds ranks that run on one GPU.

#ifndef RUNTIME_CUDA_SHAREDGPU_H_
#define RUNTIME_CUDA_SHAREDGPU_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sbp::cuda {

/// Returns two ranks that run on the same GPU, the lower one first, or nothing
/// if there are none. `gpus` has the GPU of each rank: texts that are equal
/// only for the same GPU, such as Gpu::uuid().
inline std::optional<std::pair<size_t, size_t>> ranksOnOneGpu(
    const std::vector<std::string>& gpus) {
  std::map<std::string, size_t> firstRanks;
  for (size_t rank = 0; rank < gpus.size(); ++rank) {
    const auto [first, isNew] = firstRanks.emplace(gpus[rank], rank);
    if (!isNew) return std::pair(first->second, rank);
  }
  return std::nullopt;
}

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_SHAREDGPU_H_
