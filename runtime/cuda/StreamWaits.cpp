#include "runtime/cuda/StreamWaits.h"

namespace sbp::cuda {

MemoryOp StreamWaits::begin(const std::string& name) {
  names_.push_back(&name);
  return {MemoryOp::kWrite32, board_.at(offset_), ++numPoints_};
}

MemoryOp StreamWaits::end() {
  return {MemoryOp::kWrite32, board_.at(offset_), ++numPoints_};
}

communication::DeviceWork StreamWaits::now() {
  const uint32_t point = board_.count(offset_);
  for (; !names_.empty() && numEnded_ != point / 2; ++numEnded_)
    names_.pop_front();
  const bool isWaiting = point % 2 == 1 && !names_.empty();
  return {point, isWaiting ? names_.front() : nullptr};
}

}  // namespace sbp::cuda
