// A GPU as the device of a rank.
//
// A rank has a stream that computes and a stream that communicates. They run
// side by side. A run of a task waits only for the earlier runs of the other
// stream with which it conflicts, because they access the same memory
// (device/Edges.h). The host waits for the GPU only when it reads the GPU's
// memory, or when the buffer through which it writes that memory is full.

#ifndef RUNTIME_CUDA_CUDADEVICE_H_
#define RUNTIME_CUDA_CUDADEVICE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/Gpu.h"
#include "runtime/cuda/HostCopy.h"
#include "runtime/cuda/Stream.h"
#include "runtime/cuda/Streaming.h"
#include "runtime/device/Device.h"
#include "runtime/device/Edges.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// A function that blocks until its argument, a function, returns true. It
/// returns an error if it gives up because another rank has failed.
using WaitUntil = std::function<absl::Status(const std::function<bool()>&)>;

/// The device of one rank on a GPU.
class CudaDevice : public device::Device {
 public:
  /// Opens the device on `gpu`, which has loaded the program's code. Finds the
  /// kernels of `plan`, and allocates an arena of `arenaBytes` bytes, which are
  /// zero at first. Where the host must wait for the GPU, the device calls
  /// `waitUntil`. `plan` must outlive the device. Fails if the GPU has too
  /// little memory; the error says what to do.
  static absl::StatusOr<std::unique_ptr<CudaDevice>> open(
      std::unique_ptr<Gpu> gpu, const plan::Plan& plan, int64_t arenaBytes,
      const Streaming& streaming, WaitUntil waitUntil);

  /// Waits for all work, then frees the memory. Does neither if the GPU is
  /// abandoned (Gpu::abandon).
  ~CudaDevice() override;

  bool hasQueues() const override { return edges_.has_value(); }
  absl::Status startRun(device::Queue queue,
                        absl::Span<const device::Access> accesses) override;
  absl::Status run(int64_t kernel, absl::Span<const int64_t> buffers) override;
  absl::Status clear(int64_t buffer, int64_t bytes) override;
  absl::Status setNumber(int64_t buffer, int64_t number) override;
  absl::StatusOr<double> sumOfSquares(
      const std::vector<plan::Gradient>& gradients) override;
  absl::Status submit() override { return compute_.submit(); }
  absl::Status wait() override;
  absl::Status read(int64_t offset, int64_t bytes,
                    device::ReadBytes use) override;
  absl::Status write(int64_t offset, int64_t bytes,
                     device::WriteBytes fill) override;

  /// Copies `bytes` bytes of host memory at `from` to memory outside the arena.
  /// Blocks until the copy is done.
  absl::Status upload(Address to, const void* from, int64_t bytes);

  const Gpu& gpu() const { return *gpu_; }
  /// Declares that work on the GPU may never end (Gpu::abandon).
  void abandon() { gpu_->abandon(); }
  /// The stream in which kernels run.
  Stream& stream() { return compute_; }
  /// The stream in which collectives run.
  Stream& communicationStream() {
    return communicate_ ? *communicate_ : compute_;
  }
  /// The address of the arena.
  Address arena() const { return arena_; }

 private:
  CudaDevice(std::unique_ptr<Gpu> gpu, Stream stream, const plan::Plan& plan,
             WaitUntil waitUntil)
      : gpu_(std::move(gpu)),
        plan_(plan),
        waitUntil_(std::move(waitUntil)),
        compute_(std::move(stream)),
        readCopy_(*gpu_),
        writeCopy_(*gpu_) {}

  /// Returns the launch that `planned` describes.
  absl::StatusOr<Launch> find(const plan::Launch& planned) const;
  absl::Status findKernels();
  absl::Status allocate(int64_t arenaBytes);

  /// Blocks until all work of the stream that computes has been done.
  absl::Status waitForCompute();

  /// Makes `sums_` large enough for `count` numbers.
  absl::Status reserveSums(int64_t count);

  const std::unique_ptr<Gpu> gpu_;
  const plan::Plan& plan_;
  const WaitUntil waitUntil_;
  Stream compute_;
  // Both are empty if everything runs in one stream. Mark n (Stream::mark) of
  // communicate_ is recorded after run n of this stream.
  std::optional<Stream> communicate_;
  std::optional<device::Edges> edges_;
  Address arena_ = 0;
  std::vector<std::vector<Launch>> kernels_;  // by plan::Plan::kernels
  std::map<std::string, Launch> squares_;     // by name of the function
  Address sums_ = 0;  // an f64 per block of the launches in squares_
  int64_t numSums_ = 0;
  std::vector<Address> addresses_;  // kept, so that a launch allocates nothing
  HostCopy readCopy_, writeCopy_;
  /// Number of bytes at the beginning of writeCopy_ that the GPU may not have
  /// copied yet.
  int64_t bytesInCopy_ = 0;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_CUDADEVICE_H_
