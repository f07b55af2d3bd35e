#include "runtime/cuda/HostCopy.h"

#include <algorithm>

#include "runtime/status/Status.h"

namespace sbp::cuda {

HostCopy::~HostCopy() {
  if (pinned_ && !gpu_.isAbandoned()) gpu_.driver().memFreeHost(pinned_);
}

absl::StatusOr<std::byte*> HostCopy::ofSize(int64_t bytes) {
  if (bytes > kMostPinnedBytes) {
    large_.resize(std::max<size_t>(large_.size(), bytes));
    return large_.data();
  }
  if (bytes <= pinnedBytes_) return pinned_;
  const Driver& driver = gpu_.driver();
  if (pinned_)
    SBP_RETURN_IF_ERROR(
        driver.check(driver.memFreeHost(pinned_), "cuMemFreeHost"));
  pinned_ = nullptr;
  // At least twice as much as before, so that growing costs little.
  pinnedBytes_ = std::clamp(std::max(bytes, 2 * pinnedBytes_),
                            kLeastPinnedBytes, kMostPinnedBytes);
  void* memory = nullptr;
  SBP_RETURN_IF_ERROR(driver.check(
      driver.memHostAlloc(&memory, pinnedBytes_, 0), "cuMemHostAlloc"));
  pinned_ = static_cast<std::byte*>(memory);
  return pinned_;
}

}  // namespace sbp::cuda
