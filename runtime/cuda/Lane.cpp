#include "runtime/cuda/Lane.h"

#include <algorithm>
#include <atomic>

#include "runtime/status/Status.h"

namespace sbp::cuda {

absl::StatusOr<int64_t> Lane::list(absl::Span<const int64_t> numbers,
                                   const WaitUntil& waitUntil) {
  constexpr int64_t kSize = BoardLayout::kRingNumbers;
  const auto count = static_cast<int64_t>(numbers.size());
  if (count > kSize) return error("a list of {} buffers is too long", count);
  // A list is contiguous: it does not go beyond the end of the ring.
  if (next_ % kSize + count > kSize) next_ += kSize - next_ % kSize;
  const auto hasRoom = [&] {
    while (!pieces_.empty() && isDone(pieces_.front().work)) {
      oldest_ = pieces_.front().end;
      pieces_.pop_front();
    }
    if (pieces_.empty()) oldest_ = next_;
    return next_ + count - oldest_ <= kSize;
  };
  if (!hasRoom()) SBP_RETURN_IF_ERROR(waitUntil(hasRoom));
  const int64_t offset =
      ring_ + next_ % kSize * static_cast<int64_t>(sizeof(int64_t));
  std::copy(numbers.begin(), numbers.end(), board_.numbers(offset));
  std::atomic_thread_fence(std::memory_order_release);
  next_ += count;
  pieces_.push_back({next_, work_});
  return offset;
}

MemoryOp Lane::endOfWork() {
  return {MemoryOp::kWrite32, board_.at(done_), work_++};
}

}  // namespace sbp::cuda
