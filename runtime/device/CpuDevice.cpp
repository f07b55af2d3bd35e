#include "runtime/device/CpuDevice.h"

#include <cstring>

#include "runtime/device/SumOfSquares.h"

namespace sbp::device {

absl::Status CpuDevice::run(int64_t kernel, absl::Span<const int64_t> buffers) {
  arguments_.clear();
  for (int64_t buffer : buffers) arguments_.push_back(arena_ + buffer);
  kernels_[kernel](arguments_.data());
  return absl::OkStatus();
}

absl::Status CpuDevice::clear(int64_t buffer, int64_t bytes) {
  std::memset(arena_ + buffer, 0, bytes);
  return absl::OkStatus();
}

absl::Status CpuDevice::setNumber(int64_t buffer, int64_t number) {
  std::memcpy(arena_ + buffer, &number, sizeof number);
  return absl::OkStatus();
}

absl::StatusOr<double> CpuDevice::sumOfSquares(
    const std::vector<plan::Gradient>& gradients) {
  double sum = 0;
  for (const plan::Gradient& gradient : gradients)
    sum += device::sumOfSquares(gradient.elementType, arena_ + gradient.buffer,
                                gradient.numElements);
  return sum;
}

absl::Status CpuDevice::read(int64_t offset, int64_t, ReadBytes use) {
  return use(arena_ + offset);
}

absl::Status CpuDevice::write(int64_t offset, int64_t, WriteBytes fill) {
  return fill(arena_ + offset);
}

}  // namespace sbp::device
