// The device of a rank: the memory of its tensors, its arena, and the kernels
// that work on them.
//
// The executor (execute/Executor.h) decides what runs next and on which
// buffers; the device runs it. Buffers are offsets in the arena, in bytes.
//
// A call of a device may return before its work has been done. The device does
// the work of its calls in the order of the calls, or in another order with the
// same results. To find such an order, a device with several queues must know
// in advance in which queue each task runs and which memory it accesses: the
// caller declares both by startRun() before each run.

#ifndef RUNTIME_DEVICE_DEVICE_H_
#define RUNTIME_DEVICE_DEVICE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/device/Access.h"
#include "runtime/device/Memory.h"
#include "runtime/plan/Plan.h"

namespace sbp::device {

/// The queues of a device. Work in the same queue is done in order; work in
/// different queues may be done at the same time.
enum class Queue { kCompute, kCommunicate };

/// The device of one rank. It belongs to one thread at a time.
class Device : public Memory {
 public:
  /// Whether startRun() must be called before each run of a kernel, collective
  /// or transfer.
  virtual bool hasQueues() const { return false; }

  /// Declares the queue of the next run of a kernel, collective or transfer,
  /// and the memory that the run accesses, as offsets in the arena. All other
  /// work goes to the queue that computes.
  virtual absl::Status startRun(Queue, absl::Span<const Access>) {
    return absl::OkStatus();
  }

  /// Runs kernel `kernel` (an index into Plan::kernels) on `buffers`, which are
  /// offsets in the arena, in the order of plan::KernelTask::buffers.
  virtual absl::Status run(int64_t kernel,
                           absl::Span<const int64_t> buffers) = 0;

  /// Sets the `bytes` bytes at `buffer` to 0.
  virtual absl::Status clear(int64_t buffer, int64_t bytes) = 0;

  /// Sets the i64 at `buffer` to `number`.
  virtual absl::Status setNumber(int64_t buffer, int64_t number) = 0;

  /// Returns the sum of the squares of all elements of `gradients`. Each
  /// Gradient::buffer is the gradient's offset in the current step. The sum is
  /// finite if and only if all elements are finite.
  virtual absl::StatusOr<double> sumOfSquares(
      const std::vector<plan::Gradient>& gradients) = 0;

  /// Begins the work of earlier calls, if the device has put off some of it.
  virtual absl::Status submit() { return absl::OkStatus(); }

  /// Blocks until all work of earlier calls has been done. Fails if any of the
  /// work has failed.
  virtual absl::Status wait() = 0;
};

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_DEVICE_H_
