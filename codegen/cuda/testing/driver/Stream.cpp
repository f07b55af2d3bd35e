#include "codegen/cuda/testing/driver/Stream.h"

#include <utility>

namespace sbp::cuda::driver {

int Stream::add(Work work) {
  pending_.push_back(std::move(work));
  // Half of the time nothing is done, so that work piles up.
  for (uint64_t count = random_() % 4; count > 1 && !pending_.empty(); --count)
    doOldest();
  return error_;
}

int Stream::finish() {
  while (!pending_.empty()) doOldest();
  return error_;
}

void Stream::doOldest() {
  const Work work = std::move(pending_.front());
  pending_.pop_front();
  if (error_ == 0) error_ = work();
}

}  // namespace sbp::cuda::driver
