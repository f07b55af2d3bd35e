// A stream of a GPU: work that the GPU does in order, while the host goes on.

#ifndef RUNTIME_CUDA_STREAM_H_
#define RUNTIME_CUDA_STREAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/Gpu.h"

namespace sbp::cuda {

/// A launch of a function, ready to run.
struct Launch {
  Function function = nullptr;
  unsigned blocks = 1, threads = 1;
};

/// A stream. All functions but the last return at once; what they ask for is
/// done after all that was asked for before.
class Stream {
 public:
  /// Creates a stream of `gpu`, which must outlive it.
  static absl::StatusOr<Stream> create(const Gpu& gpu);

  Stream(Stream&& other) noexcept { *this = std::move(other); }
  Stream& operator=(Stream&& other) noexcept;

  /// Does not wait: the work goes on.
  ~Stream();

  /// Runs a launch whose parameters are addresses. `what` names it in errors.
  absl::Status run(const Launch& launch, absl::Span<const Address> arguments,
                   const std::string& what);

  /// Sets bytes to 0.
  absl::Status clear(Address address, int64_t bytes);
  /// Sets the i64 at `address`.
  absl::Status setNumber(Address address, int64_t number);
  /// Fills memory with `count` elements of `elementBytes` bytes each (1, 2, 4
  /// or 8), of the value whose bytes are the lowest ones of `element`.
  absl::Status fill(Address address, uint64_t element, int64_t elementBytes,
                    int64_t count);

  /// Copies between host and GPU. Host memory must stay as it is until the copy
  /// has been done.
  absl::Status copyToHost(void* to, Address from, int64_t bytes);
  absl::Status copyFromHost(Address to, const void* from, int64_t bytes);

  /// Writes and waits for words, in this order.
  absl::Status perform(std::vector<MemoryOp>& operations);

  /// Marks the end of the work so far by number `mark`. Marks are numbered in
  /// ascending order.
  absl::Status mark(int64_t mark);

  /// Make work of this stream that is asked for later wait for work of `other`:
  /// for all so far, or for that before a mark. If the mark is long past, also
  /// for some later work.
  absl::Status follow(Stream& other);
  absl::Status follow(const Stream& other, int64_t mark);

  /// Whether all work has been done. Fails if any of it failed.
  absl::StatusOr<bool> isDone() const;

 private:
  explicit Stream(const Gpu& gpu) : gpu_(&gpu) {}
  /// Returns OK if `result` is success. Says so if earlier work has failed, and
  /// not `call`.
  absl::Status check(Result result, const char* call) const;

  const Gpu* gpu_ = nullptr;
  StreamHandle handle_ = nullptr;
  /// Number of marks that are kept.
  static constexpr int64_t kNumMarks = 64;

  /// Returns the variables of all events.
  std::vector<EventHandle*> events();

  std::array<EventHandle, kNumMarks> marks_ = {};  // by number modulo kNumMarks
  EventHandle end_ = nullptr;      // recorded when another stream follows
  std::vector<void*> parameters_;  // kept, so that a launch allocates nothing
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_STREAM_H_
