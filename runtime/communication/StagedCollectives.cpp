#include "runtime/communication/StagedCollectives.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "runtime/communication/Collective.h"
#include "runtime/communication/GroupTransfer.h"
#include "runtime/status/Status.h"

namespace sbp::communication {

absl::StatusOr<std::shared_ptr<const PreparedCollective>>
StagedCollectives::prepare(
    const std::vector<plan::CollectiveTask>& tasks) const {
  return communicator_.prepare(StagingLayout::staged(tasks));
}

absl::Status StagedCollectives::copyIn(int64_t buffer, int64_t bytes,
                                       int64_t staged) {
  return arena_.read(buffer, bytes, [&](const std::byte* from) {
    std::memcpy(communicator_.arena() + staged, from, bytes);
    return absl::OkStatus();
  });
}

absl::Status StagedCollectives::copyOut(int64_t staged, int64_t bytes,
                                        int64_t buffer) {
  return arena_.write(buffer, bytes, [&](std::byte* to) {
    std::memcpy(to, communicator_.arena() + staged, bytes);
    return absl::OkStatus();
  });
}

absl::Status StagedCollectives::run(
    const PreparedCollective& collective,
    absl::Span<const CollectiveBuffers> buffers) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const PreparedTensor& tensor = collective.tensors[i];
    if (tensor.task.kind != plan::CollectiveTask::Kind::kOffset)
      SBP_RETURN_IF_ERROR(
          copyIn(buffers[i].in, tensor.inBytes, collective.buffers[i].in));
  }
  SBP_RETURN_IF_ERROR(communicator_.run(collective, collective.buffers));
  for (size_t i = 0; i < buffers.size(); ++i)
    SBP_RETURN_IF_ERROR(copyOut(collective.buffers[i].out,
                                collective.tensors[i].outBytes,
                                buffers[i].out));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const PreparedTransfer>>
StagedCollectives::prepareTransfer(int64_t number) const {
  auto transfer = communicator_.prepareTransfer(number);
  if (transfer.ok()) numbers_[transfer->get()] = number;
  return transfer;
}

absl::StatusOr<int64_t> StagedCollectives::takeSlot(const Run& run) {
  const auto& [transfer, end, occurrence] = run;
  const TransferSlots& slots = layout_.slotsOf(transfer, end);
  for (int64_t slot = 0; slot < slots.numSlots; ++slot) {
    const int64_t offset = slots.first + slot * slots.slotBytes;
    const bool isFree =
        std::none_of(underWay_.begin(), underWay_.end(),
                     [&](const auto& other) { return other.second == offset; });
    if (!isFree) continue;
    underWay_[run] = offset;
    return offset;
  }
  return error("more than {} runs of a transfer are under way", slots.numSlots);
}

absl::Status StagedCollectives::run(plan::TransferTask::Kind kind,
                                    const PreparedTransfer& transfer,
                                    int64_t buffer, int64_t occurrence) {
  using Kind = plan::TransferTask::Kind;
  const Run run = {numbers_.at(&transfer), endOf(kind), occurrence};
  if (!plan::isFinish(kind)) {
    SBP_ASSIGN_OR_RETURN(const int64_t staged, takeSlot(run));
    if (kind == Kind::kStartSend)
      SBP_RETURN_IF_ERROR(copyIn(buffer, transfer.sentBufferBytes, staged));
    return communicator_.run(kind, transfer, staged, occurrence);
  }
  const int64_t staged = underWay_.at(run);
  SBP_RETURN_IF_ERROR(communicator_.run(kind, transfer, staged, occurrence));
  underWay_.erase(run);
  return kind == Kind::kFinishReceive
             ? copyOut(staged, transfer.receivedBufferBytes, buffer)
             : absl::OkStatus();
}

bool StagedCollectives::canFinish(plan::TransferTask::Kind finish,
                                  const PreparedTransfer& transfer,
                                  int64_t occurrence) const {
  return communicator_.canFinish(finish, transfer, occurrence);
}

}  // namespace sbp::communication
