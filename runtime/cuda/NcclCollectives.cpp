#include "runtime/cuda/NcclCollectives.h"

#include <utility>

#include "runtime/cuda/RowTable.h"
#include "runtime/plan/Names.h"
#include "runtime/plan/Tensor.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {

using communication::CollectiveBuffers;
using communication::PreparedCollective;
using communication::PreparedTensor;

/// A collective with its launches and its calls of NCCL.
struct NcclCollectives::Collective : PreparedCollective {
  const std::string* waitName = nullptr;  // "all_reduce over data"
  NcclHandle communicator = nullptr;      // null if it has one member
  Address owners = 0;
  Address aside = 0;
  std::vector<RowLaunch> before, after;
  std::vector<NcclCall> calls;
};

NcclCollectives::NcclCollectives(int64_t rank,
                                 const std::vector<plan::Group>& groups,
                                 RankLanes& lanes,
                                 const NcclCommunicators& communicators,
                                 std::unique_ptr<NcclMessages> messages)
    : rank_(rank),
      groups_(groups),
      gates_(groups),
      lanes_(lanes),
      communicators_(communicators),
      nccl_(communicators.nccl()),
      messages_(std::move(messages)),
      mover_(lanes.device()) {}

absl::StatusOr<std::shared_ptr<const PreparedCollective>>
NcclCollectives::prepare(const std::vector<plan::CollectiveTask>& tasks) const {
  const plan::CollectiveTask& first = tasks.front();
  const plan::Group& group = groups_[first.group];
  auto collective = std::make_shared<Collective>();
  static_cast<PreparedCollective&>(*collective) =
      communication::prepareCollective(tasks, group, rank_);
  collective->gate = gates_.of(first.group, first.axes);
  collective->waitName =
      &*names_
            .insert(
                plan::nameOf(group, first, static_cast<int64_t>(tasks.size())))
            .first;
  NcclSteps steps;
  if (collective->phases.empty()) {
    steps.after = localJobs(*collective);
  } else {
    const bool reduces =
        first.kind == plan::CollectiveTask::Kind::kAllReduce ||
        first.kind == plan::CollectiveTask::Kind::kReduceScatter;
    if (reduces && first.elementType == plan::ElementType::kI1 &&
        first.reduction == plan::ReductionKind::kSum)
      return error(
          "{}: NCCL has no sum of i1; --collectives peer and staged have one",
          *collective->waitName);
    collective->communicator = communicators_.ofGate(collective->gate);
    steps = ncclStepsOf(*collective);
  }
  if (steps.asideBytes > 0) {
    SBP_ASSIGN_OR_RETURN(collective->aside, mover_.allocate(steps.asideBytes));
  }
  SBP_ASSIGN_OR_RETURN(const std::vector<int64_t> owners,
                       mover_.firstOwners(collective->aside));
  SBP_ASSIGN_OR_RETURN(collective->owners, mover_.keep(owners));
  SBP_RETURN_IF_ERROR(
      mover_.prepare(copyTables(steps.before), collective->before));
  SBP_RETURN_IF_ERROR(
      mover_.prepare(copyTables(steps.after), collective->after));
  collective->calls = std::move(steps.calls);
  return std::shared_ptr<const PreparedCollective>(std::move(collective));
}

absl::Status NcclCollectives::run(const PreparedCollective& prepared,
                                  absl::Span<const CollectiveBuffers> buffers) {
  const auto& collective = static_cast<const Collective&>(prepared);
  const PreparedTensor& first = collective.tensors.front();
  if (first.task.kind == plan::CollectiveTask::Kind::kOffset)
    return lanes_.device().setNumber(buffers.front().out, first.offsetValue);
  Lane& lane = collective.phases.empty() ? lanes_.local() : lanes_.collective();
  list_.clear();
  for (const CollectiveBuffers& tensor : buffers)
    list_.insert(list_.end(), {tensor.in, tensor.out});
  SBP_ASSIGN_OR_RETURN(const int64_t list,
                       lane.list(list_, lanes_.waitUntil()));
  SBP_RETURN_IF_ERROR(
      mover_.fillIdentities(collective, buffers, lane.stream()));
  SBP_RETURN_IF_ERROR(runSteps(collective, buffers, list, lane));
  numBytesReceived_ += collective.bytesFromOthers;
  operations_ = {lane.endOfWork()};
  return lane.stream().perform(operations_);
}

absl::Status NcclCollectives::runSteps(
    const Collective& collective, absl::Span<const CollectiveBuffers> buffers,
    int64_t list, Lane& lane) {
  SBP_RETURN_IF_ERROR(
      mover_.run(collective.before, collective.owners, list, lane));
  if (!collective.calls.empty()) {
    operations_ = {lanes_.communicationWaits().begin(*collective.waitName)};
    SBP_RETURN_IF_ERROR(lane.stream().perform(operations_));
    SBP_RETURN_IF_ERROR(nccl_.check(nccl_.groupStart(), "ncclGroupStart"));
    for (const NcclCall& step : collective.calls)
      SBP_RETURN_IF_ERROR(call(step, collective, buffers));
    SBP_RETURN_IF_ERROR(
        nccl_.check(nccl_.groupEnd(), collective.waitName->c_str()));
    operations_ = {lanes_.communicationWaits().end()};
    SBP_RETURN_IF_ERROR(lane.stream().perform(operations_));
  }
  return mover_.run(collective.after, collective.owners, list, lane);
}

absl::Status NcclCollectives::call(
    const NcclCall& call, const Collective& collective,
    absl::Span<const CollectiveBuffers> buffers) const {
  const auto memoryOf = [&](const NcclPiece& piece) {
    const Address arena = lanes_.device().arena();
    const Address base = piece.memory == NcclPiece::Memory::kAside
                             ? collective.aside
                         : piece.memory == NcclPiece::Memory::kIn
                             ? arena + buffers[piece.tensor].in
                             : arena + buffers[piece.tensor].out;
    return reinterpret_cast<void*>(base + piece.offset);
  };
  const NcclHandle communicator = collective.communicator;
  const StreamHandle stream = lanes_.collective().stream().handle();
  switch (call.kind) {
    case NcclCall::Kind::kAllReduce:
      return nccl_.check(
          nccl_.allReduce(memoryOf(call.source), memoryOf(call.target),
                          call.count, call.type, call.reduction, communicator,
                          stream),
          "ncclAllReduce");
    case NcclCall::Kind::kAllGather:
      return nccl_.check(
          nccl_.allGather(memoryOf(call.source), memoryOf(call.target),
                          call.count, call.type, communicator, stream),
          "ncclAllGather");
    case NcclCall::Kind::kReduceScatter:
      return nccl_.check(
          nccl_.reduceScatter(memoryOf(call.source), memoryOf(call.target),
                              call.count, call.type, call.reduction,
                              communicator, stream),
          "ncclReduceScatter");
    case NcclCall::Kind::kSend:
      return nccl_.check(nccl_.send(memoryOf(call.source), call.count,
                                    call.type, call.peer, communicator, stream),
                         "ncclSend");
    case NcclCall::Kind::kReceive:
      return nccl_.check(
          nccl_.receive(memoryOf(call.target), call.count, call.type, call.peer,
                        communicator, stream),
          "ncclRecv");
  }
  return absl::OkStatus();
}

}  // namespace sbp::cuda
