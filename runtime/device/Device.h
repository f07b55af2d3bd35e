// The device of a rank: the memory of its tensors, its arena, and the kernels
// that work on them.
//
// The executor (execute/Executor.h) says what runs next and on which buffers; a
// device carries it out. Buffers are offsets in the arena, in bytes.
//
// A call of a device may return before its work has been done. A device does
// the work of its calls in the order of the calls, or in another order with the
// same results. For that, a device with several queues needs a call of
// startRun() before each run, which says in which queue the run goes, and which
// memory it accesses.

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
  /// Whether startRun() has to be called before each run of a kernel,
  /// collective or transfer.
  virtual bool hasQueues() const { return false; }

  /// Says in which queue the next run of a kernel, collective or transfer goes,
  /// and which memory it accesses, as offsets in the arena. All other work goes
  /// to the queue that computes.
  virtual absl::Status startRun(Queue, absl::Span<const Access>) {
    return absl::OkStatus();
  }

  /// Runs kernel `kernel` (an index into Plan::kernels) on `buffers`, in the
  /// order of plan::KernelTask::buffers.
  virtual absl::Status run(int64_t kernel,
                           absl::Span<const int64_t> buffers) = 0;

  /// Sets the `bytes` bytes at `buffer` to 0.
  virtual absl::Status clear(int64_t buffer, int64_t bytes) = 0;

  /// Sets the i64 at `buffer` to `number`.
  virtual absl::Status setNumber(int64_t buffer, int64_t number) = 0;

  /// Returns the sum of the squares of all elements of `gradients`, of which
  /// each Gradient::buffer is the offset in the current step. The sum is finite
  /// if and only if all elements are finite.
  virtual absl::StatusOr<double> sumOfSquares(
      const std::vector<plan::Gradient>& gradients) = 0;

  /// Blocks until everything that the device was told to do has been done.
  /// Fails if any of it failed.
  virtual absl::Status wait() = 0;
};

}  // namespace sbp::device

#endif  // RUNTIME_DEVICE_DEVICE_H_
