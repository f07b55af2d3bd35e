// Host memory that stands in for memory of a GPU while the host works on it.

#ifndef RUNTIME_CUDA_HOSTCOPY_H_
#define RUNTIME_CUDA_HOSTCOPY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/cuda/Gpu.h"

namespace sbp::cuda {

/// Most bytes that a HostCopy pins. Pinned memory is copied several times as
/// fast, but costs 0.35 s per GiB to allocate, and is taken from all processes
/// of the host.
inline constexpr int64_t kMostPinnedBytes = 16 << 20;

/// Fewest bytes that a HostCopy pins: enough for the inputs of many models.
inline constexpr int64_t kLeastPinnedBytes = 1 << 20;

/// A buffer that grows. It is pinned as long as it is not too large.
class HostCopy {
 public:
  explicit HostCopy(const Gpu& gpu) : gpu_(gpu) {}
  ~HostCopy();
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;

  /// Returns at least `bytes` bytes; earlier ones are gone. Must not be called
  /// while the device copies from or to the buffer. Fails if the driver does.
  absl::StatusOr<std::byte*> ofSize(int64_t bytes);

  /// Returns the number of bytes that are pinned.
  int64_t pinnedBytes() const { return pinnedBytes_; }

 private:
  const Gpu& gpu_;
  std::byte* pinned_ = nullptr;
  int64_t pinnedBytes_ = 0;
  std::vector<std::byte> large_;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_HOSTCOPY_H_
