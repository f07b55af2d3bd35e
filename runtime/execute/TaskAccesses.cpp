#include "runtime/execute/TaskAccesses.h"

#include <variant>

#include "runtime/plan/Box.h"

namespace sbp::execute {

void TaskAccesses::add(const plan::Plan& plan, const plan::Task& task) {
  const auto addBuffer = [&](int64_t bytes, bool isWrite) {
    all.push_back({all.size(), bytes, isWrite});
  };
  const auto bytesOf = [](plan::ElementType type,
                          const std::vector<int64_t>& shape) {
    return plan::numElements(shape) * plan::byteWidth(type);
  };
  if (const auto* run = std::get_if<plan::KernelTask>(&task)) {
    const plan::Kernel& kernel = plan.kernels[run->kernel];
    for (const plan::LocalType& type : kernel.operands)
      addBuffer(bytesOf(type.elementType, type.shape), /*isWrite=*/false);
    for (const plan::LocalType& type : kernel.results)
      addBuffer(bytesOf(type.elementType, type.shape), /*isWrite=*/true);
    if (kernel.scratchBytes > 0)
      addBuffer(kernel.scratchBytes, /*isWrite=*/true);
  } else if (const auto* collective =
                 std::get_if<plan::CollectiveTask>(&task)) {
    if (!plan::isLocal(collective->kind)) queue = device::Queue::kCommunicate;
    addBuffer(bytesOf(collective->elementType, collective->inShape),
              /*isWrite=*/false);
    addBuffer(bytesOf(collective->elementType, collective->outShape),
              /*isWrite=*/true);
  }
}

// A send may read its buffer until its finish. The finish counts as a write, so
// that later writes of the buffer wait for the finish.
void TaskAccesses::add(plan::TransferTask::Kind kind,
                       const communication::PreparedTransfer& transfer) {
  using Kind = plan::TransferTask::Kind;
  const bool isSend = kind == Kind::kStartSend || kind == Kind::kFinishSend;
  if (kind == Kind::kFinishSend) queue = device::Queue::kCommunicate;
  all.push_back(
      {0, isSend ? transfer.sentBufferBytes : transfer.receivedBufferBytes,
       /*isWrite=*/kind != Kind::kStartSend});
}

}  // namespace sbp::execute
