// A stream of a GPU: work that the GPU does in order, while the host goes on.

#ifndef RUNTIME_CUDA_STREAM_H_
#define RUNTIME_CUDA_STREAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/Gpu.h"
#include "runtime/cuda/LaunchGraphs.h"
#include "runtime/cuda/LaunchList.h"

namespace sbp::cuda {

/// A stream. Each function except isDone() adds work to the stream, and returns
/// at once. The GPU does the work in the order of the calls.
class Stream {
 public:
  /// Creates a stream of `gpu`, which must outlive it.
  static absl::StatusOr<Stream> create(const Gpu& gpu);

  Stream(Stream&& other) noexcept { *this = std::move(other); }
  Stream& operator=(Stream&& other) noexcept;

  /// Destroys the stream without waiting for its work, which goes on.
  ~Stream();

  /// Makes collect() start launches as CUDA graphs, if the driver has them.
  void useGraphs();

  /// Runs `launch`, whose parameters are the addresses `arguments`. `what`
  /// names the launch in errors.
  absl::Status run(const Launch& launch, absl::Span<const Address> arguments,
                   const std::string& what);

  /// Runs `launch` likewise, but may start it later, together with the launches
  /// that are collected next (LaunchGraphs.h). `what` must outlive the stream.
  /// All other functions start the collected launches before they add work.
  absl::Status collect(const Launch& launch,
                       absl::Span<const Address> arguments,
                       const std::string& what);

  /// Starts the collected launches.
  absl::Status submit();

  /// Sets the `bytes` bytes at `address` to 0.
  absl::Status clear(Address address, int64_t bytes);
  /// Sets the i64 at `address` to `number`.
  absl::Status setNumber(Address address, int64_t number);
  /// Writes `count` equal elements of `elementBytes` bytes (1, 2, 4 or 8) to
  /// `address`. The bytes of an element are the lowest ones of `element`.
  absl::Status fill(Address address, uint64_t element, int64_t elementBytes,
                    int64_t count);

  /// Copy between host and GPU. The host memory must stay valid and unchanged
  /// until the copy has been done.
  absl::Status copyToHost(void* to, Address from, int64_t bytes);
  absl::Status copyFromHost(Address to, const void* from, int64_t bytes);

  /// Performs `operations`, which write words or wait for words, in their
  /// order. Requires that Gpu::canWaitForMemory() is true.
  absl::Status perform(std::vector<MemoryOp>& operations);

  /// Records a mark, an event for which other streams can wait, after the work
  /// so far. The caller numbers marks consecutively; `mark` is the number.
  absl::Status mark(int64_t mark);

  /// Make later work of this stream wait for work of `other`. Without `mark`,
  /// it waits for all work of `other` so far; with `mark`, for its work before
  /// the mark of this number. Only the latest kNumMarks marks are kept; if mark
  /// `mark` is older, the wait is for a later mark.
  absl::Status follow(Stream& other);
  absl::Status follow(const Stream& other, int64_t mark);

  /// Returns the driver's handle of the stream, for calls of NCCL. Before such
  /// a call, all collected launches must have been started.
  StreamHandle handle() const { return handle_; }

  /// Whether all work has been done. Fails if some of the work has failed.
  absl::StatusOr<bool> isDone();

 private:
  explicit Stream(const Gpu& gpu) : gpu_(&gpu) {}
  const Gpu* gpu_ = nullptr;
  StreamHandle handle_ = nullptr;
  /// Number of marks that are kept.
  static constexpr int64_t kNumMarks = 64;

  const Driver& driver() const { return gpu_->driver(); }

  /// Returns the addresses of end_ and of all marks_.
  std::vector<EventHandle*> events();

  std::array<EventHandle, kNumMarks> marks_ = {};  // by number modulo kNumMarks
  EventHandle end_ = nullptr;  // recorded when another stream follows
  std::unique_ptr<LaunchGraphs> graphs_;  // null: launches start at once
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_STREAM_H_
