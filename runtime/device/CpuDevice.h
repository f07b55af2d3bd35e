// The CPU as the device of a rank: kernels are functions of this process, and
// the arena is host memory.

#ifndef RUNTIME_DEVICE_CPUDEVICE_H_
#define RUNTIME_DEVICE_CPUDEVICE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/Abi.h"
#include "runtime/device/Device.h"

namespace sbp::device {

/// Runs kernels in the calling thread. A call returns when its work is done.
class CpuDevice : public Device {
 public:
  /// Constructs the device of a rank whose arena is at `arena`. `kernels` are
  /// in the order of Plan::kernels. Both must outlive the device.
  CpuDevice(std::byte* arena, const SbpKernel* kernels)
      : arena_(arena), kernels_(kernels) {}

  absl::Status run(int64_t kernel, absl::Span<const int64_t> buffers) override;
  absl::Status clear(int64_t buffer, int64_t bytes) override;
  absl::Status setNumber(int64_t buffer, int64_t number) override;
  absl::StatusOr<double> sumOfSquares(
      const std::vector<plan::Gradient>& gradients) override;
  absl::Status wait() override { return absl::OkStatus(); }
  absl::Status read(int64_t offset, int64_t bytes, ReadBytes use) override;
  absl::Status write(int64_t offset, int64_t bytes, WriteBytes fill) override;

 private:
  std::byte* arena_;
  const SbpKernel* kernels_;
  std::vector<void*> arguments_;  // kept, so that running allocates nothing
};

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_CPUDEVICE_H_
