#include "runtime/cuda/NcclMessages.h"

#include <algorithm>

#include "runtime/cuda/Lane.h"
#include "runtime/cuda/PeerBoard.h"
#include "runtime/cuda/RowTable.h"
#include "runtime/cuda/Stream.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {

using communication::Parcel;
using communication::PreparedTransfer;
using communication::RowCopy;

namespace {

/// The board of a channel has one lane, and nothing that others read.
constexpr BoardLayout kChannelLayout;

/// Whether the rows of a parcel follow each other without gaps in the buffer of
/// this rank, its sender or its receiver.
bool isInPlace(const Parcel& parcel, bool isSend) {
  if (parcel.rows.size() != 1) return false;
  const RowCopy& rows = parcel.rows.front();
  return communication::isContiguous(rows.shape,
                                     isSend ? rows.source : rows.destination);
}

/// Returns the jobs that pack the rows of `parcel`, or unpack them.
std::vector<RowJob> packingJobs(const Parcel& parcel, bool isSend) {
  std::vector<RowJob> jobs;
  int64_t offset = 0;
  for (const RowCopy& rows : parcel.rows) {
    communication::RowLayout packed = communication::packedLayout(rows.shape);
    packed.offset = offset;
    offset += rows.bytes();
    const RowPlace aside = {RowMover::kAside, 0, packed};
    const RowPlace mine = {RowMover::kMine, 0,
                           isSend ? rows.source : rows.destination};
    if (isSend)
      jobs.push_back({rows.shape, aside, {mine}});
    else
      jobs.push_back({rows.shape, mine, {aside}});
  }
  return jobs;
}

}  // namespace

/// The messages from one rank to another one, or the copies from this rank to
/// itself.
struct NcclMessages::Channel {
  Channel(Stream its, PeerBoard words)
      : stream(std::move(its)),
        board(std::move(words)),
        lane(board, kChannelLayout, /*number=*/0, stream) {}

  Stream stream;
  PeerBoard board;
  Lane lane;
  NcclHandle communicator = nullptr;  // none for copies
  int64_t packedBytes = 0;            // of the largest message that is packed
  Address packed = 0;                 // memory for one message
  Address owners = 0;                 // kAside is `packed`
};

/// One end of a message.
struct NcclMessages::Message {
  Channel* channel = nullptr;
  int64_t bytes = 0;
  int64_t offset = 0;  // in the buffer, if it is not packed
  bool isPacked = false;
  std::vector<RowLaunch> packing;  // or unpacking
};

/// A transfer, with a message for each parcel. A parcel of the rank to itself
/// has no message but a copy.
struct NcclMessages::Transfer : PreparedTransfer {
  const std::string* sendWaitName = nullptr;
  const std::string* receiveWaitName = nullptr;
  std::vector<Message> sends, receives;  // by parcel
  std::vector<RowLaunch> own;            // from buffer 0 of a list to buffer 1
};

NcclMessages::NcclMessages(int64_t rank, const std::vector<plan::Group>& groups,
                           const std::vector<plan::Transfer>& transfers,
                           RankLanes& lanes,
                           const NcclCommunicators& communicators)
    : rank_(rank),
      groups_(groups),
      transfers_(transfers),
      lanes_(lanes),
      communicators_(communicators),
      mover_(lanes.device()),
      cells_(communication::firstCellOf(
          transfers, static_cast<int64_t>(transfers.size()))) {}

NcclMessages::~NcclMessages() = default;

absl::StatusOr<std::unique_ptr<NcclMessages>> NcclMessages::create(
    int64_t rank, const std::vector<plan::Group>& groups,
    const std::vector<plan::Transfer>& transfers, RankLanes& lanes,
    const NcclCommunicators& communicators) {
  std::unique_ptr<NcclMessages> result(
      new NcclMessages(rank, groups, transfers, lanes, communicators));
  SBP_RETURN_IF_ERROR(result->createChannels());
  return result;
}

absl::Status NcclMessages::createChannels() {
  const auto addParcel = [&](const Parcel& parcel,
                             const MessageChannel& key) -> absl::Status {
    SBP_ASSIGN_OR_RETURN(Channel* const channel, createChannel(key));
    if (parcel.peer != rank_ && !isInPlace(parcel, key.sender == rank_))
      channel->packedBytes = std::max(channel->packedBytes, parcel.bytes());
    return absl::OkStatus();
  };
  for (int64_t number : communicators_.splits().carried) {
    const plan::Transfer& planned = transfers_[number];
    const PreparedTransfer transfer =
        communication::prepareTransfer(planned, groups_, rank_);
    for (const Parcel& parcel : transfer.sent)
      SBP_RETURN_IF_ERROR(
          addParcel(parcel, {rank_, parcel.peer, planned.channel}));
    for (const Parcel& parcel : transfer.received)
      SBP_RETURN_IF_ERROR(
          addParcel(parcel, {parcel.peer, rank_, planned.channel}));
  }
  for (auto& [ranks, channel] : channels_) {
    if (channel->packedBytes > 0) {
      SBP_ASSIGN_OR_RETURN(channel->packed,
                           mover_.allocate(channel->packedBytes));
    }
    SBP_ASSIGN_OR_RETURN(const std::vector<int64_t> owners,
                         mover_.firstOwners(channel->packed));
    SBP_ASSIGN_OR_RETURN(channel->owners, mover_.keep(owners));
  }
  return absl::OkStatus();
}

absl::StatusOr<NcclMessages::Channel*> NcclMessages::createChannel(
    const MessageChannel& key) {
  std::unique_ptr<Channel>& channel = channels_[key];
  if (channel) return channel.get();
  const Gpu& gpu = lanes_.device().gpu();
  SBP_ASSIGN_OR_RETURN(Stream stream, Stream::create(gpu));
  SBP_ASSIGN_OR_RETURN(PeerBoard board,
                       PeerBoard::allocate(kChannelLayout, gpu));
  board.closeDescriptor();
  channel = std::make_unique<Channel>(std::move(stream), std::move(board));
  if (key.sender != key.receiver)
    channel->communicator = communicators_.ofMessages(key);
  return channel.get();
}

absl::StatusOr<std::shared_ptr<const PreparedTransfer>> NcclMessages::prepare(
    int64_t number) {
  const plan::Transfer& planned = transfers_[number];
  auto transfer = std::make_shared<Transfer>();
  static_cast<PreparedTransfer&>(*transfer) =
      communication::prepareTransfer(planned, groups_, rank_);
  transfer->firstCell = communication::firstCellOf(transfers_, number);
  transfer->sendWaitName =
      &*names_.insert(communication::sendNameOf(planned, groups_)).first;
  transfer->receiveWaitName =
      &*names_.insert(communication::receiveNameOf(planned, groups_)).first;
  for (const Parcel& parcel : transfer->sent)
    SBP_RETURN_IF_ERROR(prepareMessage(parcel, /*isSend=*/true, planned.channel,
                                       transfer->sends.emplace_back()));
  for (const Parcel& parcel : transfer->received) {
    SBP_RETURN_IF_ERROR(prepareMessage(parcel, /*isSend=*/false,
                                       planned.channel,
                                       transfer->receives.emplace_back()));
    if (parcel.peer != rank_) continue;
    std::vector<RowJob> jobs;
    for (const RowCopy& rows : parcel.rows)
      jobs.push_back({rows.shape,
                      {RowMover::kMine, 1, rows.destination},
                      {{RowMover::kMine, 0, rows.source}}});
    SBP_RETURN_IF_ERROR(mover_.prepare(copyTables(jobs), transfer->own));
  }
  for (int64_t i = 0; i < planned.times; ++i) {
    Cell& cell = cells_[transfer->firstCell + i];
    cell.sends.resize(transfer->sent.size());
    cell.receives.resize(transfer->received.size());
  }
  return std::shared_ptr<const PreparedTransfer>(std::move(transfer));
}

absl::Status NcclMessages::prepareMessage(const Parcel& parcel, bool isSend,
                                          int64_t channel, Message& message) {
  message.channel = channels_
                        .at({isSend ? rank_ : parcel.peer,
                             isSend ? parcel.peer : rank_, channel})
                        .get();
  if (parcel.peer == rank_) return absl::OkStatus();
  message.bytes = parcel.bytes();
  message.isPacked = !isInPlace(parcel, isSend);
  if (message.isPacked)
    return mover_.prepare(copyTables(packingJobs(parcel, isSend)),
                          message.packing);
  const RowCopy& rows = parcel.rows.front();
  message.offset = isSend ? rows.source.offset : rows.destination.offset;
  return absl::OkStatus();
}

absl::Status NcclMessages::followDevice(Channel& channel) const {
  SBP_RETURN_IF_ERROR(channel.stream.follow(lanes_.device().stream()));
  return channel.stream.follow(lanes_.device().communicationStream());
}

absl::Status NcclMessages::startSend(const Transfer& transfer, int64_t buffer,
                                     Cell& cell) {
  const NcclLibrary& nccl = communicators_.nccl();
  for (size_t i = 0; i < transfer.sends.size(); ++i) {
    const Message& message = transfer.sends[i];
    Channel& channel = *message.channel;
    if (!channel.communicator) {
      cell.ownSend = buffer;
      SBP_RETURN_IF_ERROR(copyOwn(transfer, channel, cell));
      continue;
    }
    SBP_RETURN_IF_ERROR(followDevice(channel));
    Address from = lanes_.device().arena() + buffer + message.offset;
    if (message.isPacked) {
      SBP_ASSIGN_OR_RETURN(const int64_t list,
                           channel.lane.list({buffer}, lanes_.waitUntil()));
      SBP_RETURN_IF_ERROR(
          mover_.run(message.packing, channel.owners, list, channel.lane));
      from = channel.packed;
    }
    SBP_RETURN_IF_ERROR(
        nccl.check(nccl.send(reinterpret_cast<const void*>(from), message.bytes,
                             NcclType::kInt8, /*peer=*/1, channel.communicator,
                             channel.stream.handle()),
                   transfer.sendWaitName->c_str()));
    cell.sends[i] = channel.lane.work();
    operations_ = {channel.lane.endOfWork()};
    SBP_RETURN_IF_ERROR(channel.stream.perform(operations_));
  }
  return absl::OkStatus();
}

absl::Status NcclMessages::startReceive(const Transfer& transfer,
                                        int64_t buffer, Cell& cell) {
  const NcclLibrary& nccl = communicators_.nccl();
  for (size_t i = 0; i < transfer.receives.size(); ++i) {
    const Message& message = transfer.receives[i];
    Channel& channel = *message.channel;
    if (!channel.communicator) {
      cell.ownReceive = buffer;
      SBP_RETURN_IF_ERROR(copyOwn(transfer, channel, cell));
      continue;
    }
    // Earlier work may still use the buffer.
    SBP_RETURN_IF_ERROR(followDevice(channel));
    const Address to = message.isPacked
                           ? channel.packed
                           : lanes_.device().arena() + buffer + message.offset;
    SBP_RETURN_IF_ERROR(
        nccl.check(nccl.receive(reinterpret_cast<void*>(to), message.bytes,
                                NcclType::kInt8, /*peer=*/0,
                                channel.communicator, channel.stream.handle()),
                   transfer.receiveWaitName->c_str()));
    if (message.isPacked) {
      SBP_ASSIGN_OR_RETURN(const int64_t list,
                           channel.lane.list({buffer}, lanes_.waitUntil()));
      SBP_RETURN_IF_ERROR(
          mover_.run(message.packing, channel.owners, list, channel.lane));
    }
    numBytesReceived_ += message.bytes;
    cell.receives[i] = channel.lane.work();
    operations_ = {channel.lane.endOfWork()};
    SBP_RETURN_IF_ERROR(channel.stream.perform(operations_));
  }
  return absl::OkStatus();
}

absl::Status NcclMessages::copyOwn(const Transfer& transfer, Channel& channel,
                                   Cell& cell) {
  if (cell.ownSend < 0 || cell.ownReceive < 0) return absl::OkStatus();
  SBP_RETURN_IF_ERROR(followDevice(channel));
  SBP_ASSIGN_OR_RETURN(
      const int64_t list,
      channel.lane.list({cell.ownSend, cell.ownReceive}, lanes_.waitUntil()));
  SBP_RETURN_IF_ERROR(
      mover_.run(transfer.own, channel.owners, list, channel.lane));
  cell.ownSend = cell.ownReceive = -1;
  for (size_t i = 0; i < transfer.sends.size(); ++i)
    if (transfer.sends[i].channel == &channel)
      cell.sends[i] = channel.lane.work();
  for (size_t i = 0; i < transfer.receives.size(); ++i)
    if (transfer.receives[i].channel == &channel)
      cell.receives[i] = channel.lane.work();
  operations_ = {channel.lane.endOfWork()};
  return channel.stream.perform(operations_);
}

absl::Status NcclMessages::run(plan::TransferTask::Kind kind,
                               const PreparedTransfer& prepared, int64_t buffer,
                               int64_t occurrence) {
  using Kind = plan::TransferTask::Kind;
  const auto& transfer = static_cast<const Transfer&>(prepared);
  Cell& cell = cells_[transfer.firstCell + occurrence];
  switch (kind) {
    case Kind::kStartSend:
      return startSend(transfer, buffer, cell);
    case Kind::kStartReceive:
      return startReceive(transfer, buffer, cell);
    case Kind::kFinishSend:
      SBP_RETURN_IF_ERROR(checkOwnIsCopied(cell));
      operations_ = {lanes_.communicationWaits().begin(*transfer.sendWaitName)};
      for (size_t i = 0; i < transfer.sends.size(); ++i)
        operations_.push_back(
            transfer.sends[i].channel->lane.waitFor(cell.sends[i]));
      operations_.push_back(lanes_.communicationWaits().end());
      return lanes_.device().communicationStream().perform(operations_);
    case Kind::kFinishReceive:
      SBP_RETURN_IF_ERROR(checkOwnIsCopied(cell));
      operations_ = {lanes_.computeWaits().begin(*transfer.receiveWaitName)};
      for (size_t i = 0; i < transfer.receives.size(); ++i)
        operations_.push_back(
            transfer.receives[i].channel->lane.waitFor(cell.receives[i]));
      operations_.push_back(lanes_.computeWaits().end());
      return lanes_.device().stream().perform(operations_);
  }
  return absl::OkStatus();
}

absl::Status NcclMessages::checkOwnIsCopied(const Cell& cell) const {
  if (cell.ownSend < 0 && cell.ownReceive < 0) return absl::OkStatus();
  return error(
      "rank {} waits for what it sends to itself, before it has started both "
      "ends",
      rank_);
}

bool NcclMessages::canFinish(plan::TransferTask::Kind finish,
                             const PreparedTransfer& prepared,
                             int64_t occurrence) const {
  const auto& transfer = static_cast<const Transfer&>(prepared);
  const Cell& cell = cells_[transfer.firstCell + occurrence];
  const auto areDone = [](const std::vector<Message>& messages,
                          const std::vector<uint32_t>& works) {
    for (size_t i = 0; i < messages.size(); ++i)
      if (!messages[i].channel->lane.isDone(works[i])) return false;
    return true;
  };
  return finish == plan::TransferTask::Kind::kFinishReceive
             ? areDone(transfer.receives, cell.receives)
             : areDone(transfer.sends, cell.sends);
}

}  // namespace sbp::cuda
