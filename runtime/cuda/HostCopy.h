// Host memory with a copy of a GPU's memory, on which the host works.

#ifndef RUNTIME_CUDA_HOSTCOPY_H_
#define RUNTIME_CUDA_HOSTCOPY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/cuda/Gpu.h"

namespace sbp::cuda {

/// Maximum number of bytes that a HostCopy pins. Copies between pinned memory
/// and the GPU are several times as fast as others. But allocating pinned
/// memory takes 0.35 s per GiB, and the system cannot swap it out for other
/// processes.
inline constexpr int64_t kMostPinnedBytes = 16 << 20;

/// Minimum number of bytes that a HostCopy pins: enough for the inputs of many
/// models.
inline constexpr int64_t kLeastPinnedBytes = 1 << 20;

/// A buffer in host memory that grows when needed. It is pinned if its size is
/// at most kMostPinnedBytes.
class HostCopy {
 public:
  explicit HostCopy(const Gpu& gpu) : gpu_(gpu) {}
  ~HostCopy();
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;

  /// Returns a buffer of at least `bytes` bytes. If `bytes` is at most
  /// pinnedBytes(), it is the same buffer as before, with the same contents.
  /// Otherwise earlier contents are lost, and the device must not be copying
  /// from or to the buffer. Fails if the driver does.
  absl::StatusOr<std::byte*> ofSize(int64_t bytes);

  /// Returns the size of the pinned buffer, in bytes; 0 if there is none yet.
  int64_t pinnedBytes() const { return pinnedBytes_; }

 private:
  const Gpu& gpu_;
  std::byte* pinned_ = nullptr;
  int64_t pinnedBytes_ = 0;
  std::vector<std::byte> large_;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_HOSTCOPY_H_
