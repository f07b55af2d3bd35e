// Transfers between GPUs by NCCL.
//
// For each channel of the plan (plan::Transfer) from one rank to another one,
// both ranks have a communicator and a stream that serve only this channel.
// NCCL does not distinguish the messages of a communicator, so both ranks must
// start them in the same order (proof::Channel::kInOrder). The stream that
// computes waits for a channel only when it needs data that are received, or
// when it overwrites data that are sent.
//
//   sender     pack rows   send       ...     receiver   receive   unpack rows
//
// Rows without gaps between them are sent and received in place, without
// packing.

#ifndef RUNTIME_CUDA_NCCLMESSAGES_H_
#define RUNTIME_CUDA_NCCLMESSAGES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/communication/GroupTransfer.h"
#include "runtime/cuda/NcclCommunicators.h"
#include "runtime/cuda/RankLanes.h"
#include "runtime/cuda/RowMover.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// The transfers of one rank by NCCL. prepare() does what
/// Collectives::prepareTransfer() does; the other functions do what the
/// functions of the same names of communication::Collectives do.
class NcclMessages {
 public:
  /// Creates the channels of rank `rank`. All arguments that are references
  /// must outlive the result.
  static absl::StatusOr<std::unique_ptr<NcclMessages>> create(
      int64_t rank, const std::vector<plan::Group>& groups,
      const std::vector<plan::Transfer>& transfers, RankLanes& lanes,
      const NcclCommunicators& communicators);
  ~NcclMessages();

  absl::StatusOr<std::shared_ptr<const communication::PreparedTransfer>>
  prepare(int64_t number);
  absl::Status run(plan::TransferTask::Kind kind,
                   const communication::PreparedTransfer& transfer,
                   int64_t buffer, int64_t occurrence);
  bool canFinish(plan::TransferTask::Kind finish,
                 const communication::PreparedTransfer& transfer,
                 int64_t occurrence) const;
  int64_t bytesReceived() const { return numBytesReceived_; }

 private:
  struct Channel;
  struct Message;
  struct Transfer;

  /// The state of an occurrence of a transfer (Collectives::run).
  struct Cell {
    // For each parcel (GroupTransfer.h) that the rank sends or receives, the
    // number of the work (Lane::work) that moves it in its channel.
    std::vector<uint32_t> sends, receives;
    // If the rank sends to itself: the buffer of the send, or of the receive,
    // when it has been started and the other one has not; otherwise -1.
    int64_t ownSend = -1, ownReceive = -1;
  };

  NcclMessages(int64_t rank, const std::vector<plan::Group>& groups,
               const std::vector<plan::Transfer>& transfers, RankLanes& lanes,
               const NcclCommunicators& communicators);

  absl::Status createChannels();
  absl::StatusOr<Channel*> createChannel(const MessageChannel& key);
  absl::Status prepareMessage(const communication::Parcel& parcel, bool isSend,
                              int64_t channel, Message& message);

  /// Makes later work in the channel wait for all work of the device so far.
  absl::Status followDevice(Channel& channel) const;
  absl::Status startSend(const Transfer& transfer, int64_t buffer, Cell& cell);
  absl::Status startReceive(const Transfer& transfer, int64_t buffer,
                            Cell& cell);
  /// Copies the rows that the rank sends to itself, if both the send and the
  /// receive have been started.
  absl::Status copyOwn(const Transfer& transfer, Channel& channel, Cell& cell);

  /// Fails if the rank has started only one end of what it sends to itself.
  absl::Status checkOwnIsCopied(const Cell& cell) const;

  const int64_t rank_;
  const std::vector<plan::Group>& groups_;
  const std::vector<plan::Transfer>& transfers_;
  RankLanes& lanes_;
  const NcclCommunicators& communicators_;
  RowMover mover_;
  // This rank is the sender, the receiver, or both.
  std::map<MessageChannel, std::unique_ptr<Channel>> channels_;
  std::vector<Cell> cells_;
  int64_t numBytesReceived_ = 0;
  std::set<std::string> names_;       // of waits
  std::vector<MemoryOp> operations_;  // kept, so that runs allocate nothing
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_NCCLMESSAGES_H_
