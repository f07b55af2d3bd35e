// The memory that tasks access, and the queue of the device in which they run
// (device/Device.h).
//
// Collectives with other ranks, and the finishes of sends, run in the queue for
// communication (Queue::kCommunicate). All other tasks run in the queue for
// computation (Queue::kCompute).

#ifndef RUNTIME_EXECUTE_TASKACCESSES_H_
#define RUNTIME_EXECUTE_TASKACCESSES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/communication/GroupTransfer.h"
#include "runtime/device/Device.h"
#include "runtime/plan/Plan.h"

namespace sbp::execute {

/// The access of a task to one of its buffers.
struct BufferAccess {
  size_t buffer = 0;  // number of the buffer among those of the task
  int64_t bytes = 0;
  bool isWrite = false;
};

/// The accesses of a task or a bucket.
struct TaskAccesses {
  device::Queue queue = device::Queue::kCompute;
  std::vector<BufferAccess> all;

  /// Adds the accesses of `task`, a kernel or a collective. Its buffers are
  /// numbered in the order of the plan; the numbers go on after those of tasks
  /// added before.
  void add(const plan::Plan& plan, const plan::Task& task);

  /// Adds the access of a start or finish of a transfer, which has one buffer.
  void add(plan::TransferTask::Kind kind,
           const communication::PreparedTransfer& transfer);
};

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_TASKACCESSES_H_
