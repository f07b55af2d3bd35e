// The memory that tasks access, and the queue of a device in which they go
// (device/Device.h).
//
// Local collectives, and what never waits for others, go with the kernels.

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

  /// Adds those of `task`, a kernel or a collective. Its buffers are numbered
  /// as in the plan, after those of earlier tasks.
  void add(const plan::Plan& plan, const plan::Task& task);

  /// Adds those of one end of a transfer, which has one buffer.
  void add(plan::TransferTask::Kind kind,
           const communication::PreparedTransfer& transfer);
};

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_TASKACCESSES_H_
