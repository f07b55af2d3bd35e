#include "runtime/cuda/PeerCollectives.h"

#include <algorithm>
#include <utility>

#include "runtime/cuda/RowKernels.h"
#include "runtime/plan/Names.h"
#include "runtime/plan/Tensor.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {

using communication::CollectiveBuffers;
using communication::Parcel;
using communication::Phase;
using communication::PreparedCollective;
using communication::PreparedTensor;
using communication::PreparedTransfer;
using communication::TensorBox;

namespace {

/// Lanes of receives follow those of collectives, by source group.
constexpr int64_t kFirstReceiveLane = RankLanes::kFirstOther;

}  // namespace

/// A collective with the launches of its phases.
struct PeerCollectives::Collective : PreparedCollective {
  const std::string* waitName = nullptr;  // "all_reduce over data"
  Address owners = 0;
  Address aside = 0;             // where results are set aside
  std::vector<RowLaunch> local;  // copies from `in` to `out`
  std::vector<std::vector<RowLaunch>> ofPhases;
  std::vector<RowLaunch> fromAside;  // copies from `aside` to `out`
};

/// A transfer with the launches of its receive.
struct PeerCollectives::Transfer : PreparedTransfer {
  const std::string* sendWaitName = nullptr;
  const std::string* receiveWaitName = nullptr;
  int64_t sourceGroup = 0;
  std::vector<RowLaunch> launches;
  /// The owners of all occurrences, one occurrence after the other.
  Address owners = 0;
  int64_t ownersBytes = 0;  // of one occurrence
};

BoardLayout PeerCollectives::layoutFor(
    const std::vector<plan::Group>& groups,
    const std::vector<plan::Transfer>& transfers) {
  return {communication::Gates(groups).count(),
          communication::firstCellOf(transfers,
                                     static_cast<int64_t>(transfers.size())),
          kFirstReceiveLane + static_cast<int64_t>(groups.size())};
}

PeerCollectives::PeerCollectives(int64_t rank,
                                 const std::vector<plan::Group>& groups,
                                 const std::vector<plan::Transfer>& transfers,
                                 RankLanes& lanes, const Peers& peers)
    : rank_(rank),
      groups_(groups),
      transfers_(transfers),
      gates_(groups),
      lanes_(lanes),
      peers_(peers),
      mover_(lanes.device()),
      gatesPassed_(gates_.count(), 0),
      numSent_(lanes.layout().numCells, 0),
      numReceived_(lanes.layout().numCells, 0) {}

absl::StatusOr<std::shared_ptr<const PreparedCollective>>
PeerCollectives::prepare(const std::vector<plan::CollectiveTask>& tasks) const {
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
  SBP_RETURN_IF_ERROR(
      mover_.prepare(copyTables(localJobs(*collective)), collective->local));
  if (collective->asideBytes > 0) {
    SBP_ASSIGN_OR_RETURN(collective->aside,
                         mover_.allocate(collective->asideBytes));
  }
  SBP_RETURN_IF_ERROR(prepareOwners(*collective));
  SBP_RETURN_IF_ERROR(preparePhases(*collective));
  return std::shared_ptr<const PreparedCollective>(std::move(collective));
}

absl::Status PeerCollectives::prepareOwners(Collective& collective) const {
  SBP_ASSIGN_OR_RETURN(std::vector<int64_t> owners,
                       mover_.firstOwners(collective.aside));
  for (int64_t member : collective.members) {
    const Peer& peer = peers_.of(member);
    for (Address address :
         {peer.arena, peer.board.at(0), peer.board.at(BoardLayout::kList)})
      owners.push_back(static_cast<int64_t>(address));
  }
  SBP_ASSIGN_OR_RETURN(collective.owners, mover_.keep(owners));
  return absl::OkStatus();
}

absl::Status PeerCollectives::preparePhases(Collective& collective) const {
  const auto numMembers = static_cast<int64_t>(collective.members.size());
  const auto ownerOf = [&](int64_t member) {
    return member == collective.me ? RowMover::kMine
                                   : RowMover::kFirstOther + member;
  };
  std::vector<RowJob> fromAside;
  int64_t nextAside = 0;
  for (const Phase& phase : collective.phases) {
    std::vector<RowJob> jobs;
    std::vector<RowTable> tables;
    if (phase.kind == Phase::Kind::kCopy) {
      // Each rank starts with the member after it, so that not all ranks read
      // the same memory at once.
      for (int64_t i = 1; i <= numMembers; ++i) {
        const int64_t member = (collective.me + i) % numMembers;
        for (const TensorBox& box : phase.received[member].all)
          jobs.push_back({box.rows.shape,
                          {RowMover::kMine, RowMover::outOf(box.tensor),
                           box.rows.destination},
                          {{ownerOf(member),
                            phase.readsOut ? RowMover::outOf(box.tensor)
                                           : RowMover::inOf(box.tensor),
                            box.rows.source}}});
      }
      tables = copyTables(jobs);
    } else {
      // All members' boxes of a tensor have the same shape, so each member has
      // the same number of boxes.
      const std::vector<TensorBox>& mine = phase.received[collective.me].all;
      for (size_t number = 0; number < mine.size(); ++number) {
        const TensorBox& box = mine[number];
        const PreparedTensor& tensor = collective.tensors[box.tensor];
        RowJob job = {box.rows.shape,
                      {RowMover::kMine, RowMover::outOf(box.tensor),
                       box.rows.destination},
                      {}};
        if (tensor.setsAside) {
          job.target = {RowMover::kAside, 0, box.rows.destination};
          job.target.rows.offset += nextAside;
          communication::RowShape whole;
          whole.rowBytes = tensor.outBytes;
          communication::RowLayout aside;
          aside.offset = nextAside;
          fromAside.push_back(
              {whole,
               {RowMover::kMine, RowMover::outOf(box.tensor), {}},
               {{RowMover::kAside, 0, aside}}});
          nextAside += tensor.outBytes;
        }
        for (int64_t member = 0; member < numMembers; ++member)
          job.sources.push_back(
              {ownerOf(member), RowMover::inOf(box.tensor),
               phase.received[member].all[number].rows.source});
        jobs.push_back(std::move(job));
      }
      const plan::CollectiveTask& task = collective.tensors.front().task;
      if (!jobs.empty())
        tables.push_back(
            reduceTable(jobs, reduceFunction(task.elementType, task.reduction),
                        plan::byteWidth(task.elementType)));
    }
    SBP_RETURN_IF_ERROR(
        mover_.prepare(tables, collective.ofPhases.emplace_back()));
  }
  return mover_.prepare(copyTables(fromAside), collective.fromAside);
}

void PeerCollectives::passGate(const Collective& collective) {
  const uint32_t mine = ++gatesPassed_[collective.gate];
  const int64_t gate =
      lanes_.layout().gate(static_cast<int64_t>(collective.gate));
  operations_.push_back({MemoryOp::kWrite32, lanes_.board().at(gate), mine});
  operations_.push_back(
      lanes_.communicationWaits().begin(*collective.waitName));
  for (int64_t member : collective.members)
    if (member != rank_)
      operations_.push_back(
          {MemoryOp::kWait32, peers_.of(member).board.at(gate), mine});
  operations_.push_back(lanes_.communicationWaits().end());
}

absl::Status PeerCollectives::run(const PreparedCollective& prepared,
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
  if (!collective.phases.empty()) {
    operations_ = {{MemoryOp::kWrite64, lanes_.board().at(BoardLayout::kList),
                    static_cast<uint64_t>(list)}};
    passGate(collective);
    SBP_RETURN_IF_ERROR(lane.stream().perform(operations_));
  }
  SBP_RETURN_IF_ERROR(
      mover_.fillIdentities(collective, buffers, lane.stream()));
  SBP_RETURN_IF_ERROR(
      mover_.run(collective.local, collective.owners, list, lane));
  for (const std::vector<RowLaunch>& launches : collective.ofPhases) {
    SBP_RETURN_IF_ERROR(mover_.run(launches, collective.owners, list, lane));
    operations_.clear();
    passGate(collective);
    SBP_RETURN_IF_ERROR(lane.stream().perform(operations_));
  }
  SBP_RETURN_IF_ERROR(
      mover_.run(collective.fromAside, collective.owners, list, lane));
  numBytesReceived_ += collective.bytesFromOthers;
  operations_ = {lane.endOfWork()};
  return lane.stream().perform(operations_);
}

absl::StatusOr<std::shared_ptr<const PreparedTransfer>>
PeerCollectives::prepareTransfer(int64_t number) const {
  const plan::Transfer& planned = transfers_[number];
  auto transfer = std::make_shared<Transfer>();
  static_cast<PreparedTransfer&>(*transfer) =
      communication::prepareTransfer(planned, groups_, rank_);
  transfer->firstCell = communication::firstCellOf(transfers_, number);
  transfer->sendWaitName =
      &*names_.insert(communication::sendNameOf(planned, groups_)).first;
  transfer->receiveWaitName =
      &*names_.insert(communication::receiveNameOf(planned, groups_)).first;
  transfer->sourceGroup = planned.source.group;
  std::vector<RowJob> jobs;
  int64_t owner = RowMover::kMine;
  for (const Parcel& parcel : transfer->received) {
    ++owner;
    for (const communication::RowCopy& copy : parcel.rows)
      jobs.push_back({copy.shape,
                      {RowMover::kMine, 0, copy.destination},
                      {{owner, 0, copy.source}}});
  }
  SBP_RETURN_IF_ERROR(mover_.prepare(copyTables(jobs), transfer->launches));
  SBP_ASSIGN_OR_RETURN(const Address zero, mover_.keep({0}));
  std::vector<int64_t> owners;
  for (int64_t occurrence = 0; occurrence < planned.times; ++occurrence) {
    // The list of a sender is one number: the buffer in its cell.
    owners.insert(owners.end(),
                  {static_cast<int64_t>(lanes_.device().arena()), 0, 0});
    for (const Parcel& parcel : transfer->received) {
      const Peer& peer = peers_.of(parcel.peer);
      const Address buffer = peer.board.at(
          lanes_.layout().sentBuffer(transfer->firstCell + occurrence));
      owners.insert(owners.end(),
                    {static_cast<int64_t>(peer.arena),
                     static_cast<int64_t>(buffer), static_cast<int64_t>(zero)});
    }
  }
  transfer->ownersBytes =
      static_cast<int64_t>(owners.size() * sizeof(int64_t)) / planned.times;
  SBP_ASSIGN_OR_RETURN(transfer->owners, mover_.keep(owners));
  return std::shared_ptr<const PreparedTransfer>(std::move(transfer));
}

absl::StatusOr<Lane*> PeerCollectives::receiveLane(int64_t sourceGroup) {
  const auto known = receiveLanes_.find(sourceGroup);
  if (known != receiveLanes_.end()) return &known->second;
  SBP_ASSIGN_OR_RETURN(Stream stream, Stream::create(lanes_.device().gpu()));
  receiveStreams_.push_back(std::move(stream));
  return &receiveLanes_
              .try_emplace(sourceGroup, lanes_.board(), lanes_.layout(),
                           kFirstReceiveLane + sourceGroup,
                           receiveStreams_.back())
              .first->second;
}

absl::Status PeerCollectives::startReceive(const Transfer& transfer,
                                           int64_t buffer, int64_t occurrence) {
  const int64_t cell = transfer.firstCell + occurrence;
  const uint32_t count = ++numReceived_[cell];
  SBP_ASSIGN_OR_RETURN(Lane* const lane, receiveLane(transfer.sourceGroup));
  Stream& stream = lane->stream();
  // Earlier work may still use the buffer.
  SBP_RETURN_IF_ERROR(stream.follow(lanes_.device().stream()));
  SBP_RETURN_IF_ERROR(stream.follow(lanes_.device().communicationStream()));
  SBP_ASSIGN_OR_RETURN(const int64_t list,
                       lane->list({buffer}, lanes_.waitUntil()));
  operations_.clear();
  for (const Parcel& parcel : transfer.received) {
    operations_.push_back(
        {MemoryOp::kWait32,
         peers_.of(parcel.peer).board.at(lanes_.layout().sentCount(cell)),
         count});
    if (parcel.peer != rank_) numBytesReceived_ += parcel.bytes();
  }
  SBP_RETURN_IF_ERROR(stream.perform(operations_));
  SBP_RETURN_IF_ERROR(mover_.run(
      transfer.launches, transfer.owners + occurrence * transfer.ownersBytes,
      list, *lane));
  operations_ = {
      {MemoryOp::kWrite32,
       lanes_.board().at(lanes_.layout().receivedCount(cell)), count},
      lane->endOfWork()};
  return stream.perform(operations_);
}

absl::Status PeerCollectives::run(plan::TransferTask::Kind kind,
                                  const PreparedTransfer& prepared,
                                  int64_t buffer, int64_t occurrence) {
  using Kind = plan::TransferTask::Kind;
  const auto& transfer = static_cast<const Transfer&>(prepared);
  const int64_t cell = transfer.firstCell + occurrence;
  const PeerBoard& board = lanes_.board();
  operations_.clear();
  switch (kind) {
    case Kind::kStartReceive:
      return startReceive(transfer, buffer, occurrence);
    case Kind::kStartSend:
      operations_ = {
          {MemoryOp::kWrite64, board.at(lanes_.layout().sentBuffer(cell)),
           static_cast<uint64_t>(buffer)},
          {MemoryOp::kWrite32, board.at(lanes_.layout().sentCount(cell)),
           ++numSent_[cell]}};
      break;
    case Kind::kFinishSend:
      operations_ = {lanes_.communicationWaits().begin(*transfer.sendWaitName)};
      for (const Parcel& parcel : transfer.sent)
        operations_.push_back(
            {MemoryOp::kWait32,
             peers_.of(parcel.peer)
                 .board.at(lanes_.layout().receivedCount(cell)),
             numSent_[cell]});
      operations_.push_back(lanes_.communicationWaits().end());
      return lanes_.device().communicationStream().perform(operations_);
    case Kind::kFinishReceive:
      operations_ = {
          lanes_.computeWaits().begin(*transfer.receiveWaitName),
          {MemoryOp::kWait32, board.at(lanes_.layout().receivedCount(cell)),
           numReceived_[cell]},
          lanes_.computeWaits().end()};
      break;
  }
  return lanes_.device().stream().perform(operations_);
}

bool PeerCollectives::canFinish(plan::TransferTask::Kind finish,
                                const PreparedTransfer& transfer,
                                int64_t occurrence) const {
  const int64_t cell = transfer.firstCell + occurrence;
  const auto hasReceived = [&](int64_t rank, uint32_t count) {
    const uint32_t done =
        peers_.of(rank).board.count(lanes_.layout().receivedCount(cell));
    return static_cast<int32_t>(done - count) >= 0;
  };
  if (finish == plan::TransferTask::Kind::kFinishReceive)
    return hasReceived(rank_, numReceived_[cell]);
  return std::all_of(transfer.sent.begin(), transfer.sent.end(),
                     [&](const Parcel& parcel) {
                       return hasReceived(parcel.peer, numSent_[cell]);
                     });
}

}  // namespace sbp::cuda
