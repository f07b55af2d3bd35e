// The communicator of a rank, over any mix of shared memory and messages.
//
// A rank whose memory is mapped here is read directly; other ranks are reached
// by messages. A collective may have members of both kinds. Its steps are, with
// gates as in Gates.h and phases as in Collective.h:
//
//   gate       wait until all members have published their buffers
//   phase      exchange with the remote members; read the mapped ones
//   gate       wait until no member reads the sources of this phase any more
//   ...        likewise for each further phase
//
// Only members that share memory pass the gate; for remote members the messages
// have the same effect.

#ifndef RUNTIME_COMMUNICATION_RANKCOMMUNICATOR_H_
#define RUNTIME_COMMUNICATION_RANKCOMMUNICATOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "runtime/communication/Collective.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/Courier.h"
#include "runtime/communication/Exchange.h"
#include "runtime/communication/Gates.h"
#include "runtime/communication/RankMemory.h"
#include "runtime/communication/UcxTransport.h"
#include "runtime/communication/Waiter.h"
#include "runtime/communication/WordExchange.h"
#include "runtime/watchdog/AbortFlag.h"
#include "runtime/watchdog/Activity.h"
#include "runtime/watchdog/Control.h"

namespace sbp::communication {

/// The parts from which the communicator of a rank is made.
struct RankParts {
  int64_t rank = 0;
  std::vector<plan::Group> groups;
  std::vector<plan::Transfer> transfers;
  std::shared_ptr<watchdog::AbortFlag> flag;
  std::unique_ptr<watchdog::Control> control;  // null in a world of one rank
  RankMemory memory;                           // memory of this rank
  std::vector<RankMemory> peers;      // by rank; not mapped for remote ranks
  std::unique_ptr<UcxTransport> ucx;  // null if all ranks are mapped
  bool hasOwnCore = true;             // this host has at least a core per rank
  /// Time, in seconds, that the control plane may need to find out which rank
  /// has ended.
  double verdictSeconds = 0;
  std::string description;
};

/// The communicator of a rank in any world; the head of this file has the steps
/// of its collectives.
class RankCommunicator : public Communicator {
 public:
  explicit RankCommunicator(RankParts parts);

  /// Closes UCX before the buffers of its last operations are destroyed.
  ~RankCommunicator() override { parts.ucx.reset(); }

  int64_t rank() const override { return parts.rank; }
  int64_t size() const override { return parts.peers.size(); }
  std::byte* arena() const override { return parts.memory.arena(); }
  absl::StatusOr<std::shared_ptr<const PreparedCollective>> prepare(
      const std::vector<plan::CollectiveTask>& tasks) const override;
  absl::Status run(const PreparedCollective& collective,
                   absl::Span<const CollectiveBuffers> buffers) override;
  absl::StatusOr<std::shared_ptr<const PreparedTransfer>> prepareTransfer(
      int64_t number) const override;
  absl::Status run(plan::TransferTask::Kind kind,
                   const PreparedTransfer& transfer, int64_t buffer,
                   int64_t occurrence) override;
  bool canFinish(plan::TransferTask::Kind finish,
                 const PreparedTransfer& transfer,
                 int64_t occurrence) const override;
  absl::Status waitFor(const std::function<bool()>& isReady) override;
  absl::Status waitForDevice(const std::function<bool()>& isReady,
                             const std::function<DeviceWork()>& work) override;
  absl::Status barrier() override;
  absl::Status send(int64_t peer, const void* data, int64_t bytes) override;
  absl::Status receive(int64_t peer, void* data, int64_t bytes) override;
  absl::Status offerWords(const Words& mine) override;
  absl::Status takeWords(std::vector<Words>& all) override;
  absl::StatusOr<std::vector<std::string>> allGather(
      std::string_view text) override;
  absl::Status agree(const absl::Status& mine) override;
  void fail(const absl::Status& error) override;
  absl::Status finish() override;
  absl::Status abortStatus() const override { return parts.flag->status(); }
  void noteStep() override;
  int64_t bytesReceived() const override {
    return numBytesReceived + courier.bytesReceived();
  }
  std::string description() const override { return parts.description; }

 private:
  watchdog::Activity* activity() const {
    return parts.control ? &parts.control->activity() : nullptr;
  }
  const std::string* nameOf(std::string_view wait) const;
  bool isMapped(int64_t rank) const { return parts.peers[rank].isMapped(); }
  std::byte* inOf(size_t tensor) const {
    return arena() + currentBuffers[tensor].in;
  }
  std::byte* outOf(size_t tensor) const {
    return arena() + currentBuffers[tensor].out;
  }
  void fill(const PreparedCollective& collective);
  void runLocally(const PreparedCollective& collective);
  absl::Status runTogether(const PreparedCollective& collective);
  absl::Status enter(const PreparedCollective& collective);
  absl::Status passGate(const PreparedCollective& collective);
  absl::Status runPhase(const PreparedCollective& collective,
                        const Phase& phase);
  void copyMapped(const PreparedCollective& collective, const Phase& phase);
  void reduceAll(const PreparedCollective& collective, const Phase& phase);
  void takeFromAside(const PreparedCollective& collective);
  const std::byte* sourceBuffer(const PreparedCollective& collective,
                                const Phase& phase, int64_t member,
                                size_t tensor) const;
  absl::Status explain(absl::Status status) const;

  RankParts parts;
  const bool isShared;  // the memory of all ranks is mapped
  const Gates gates;
  Waiter waiter;
  std::optional<Exchange> exchange;
  Courier courier;
  WordExchange words;
  PreparedCollective everyone;  // a collective without tensors, for barriers
  const std::string* wordsName = nullptr;
  const std::string* messagesName = nullptr;
  std::vector<uint64_t> gatesPassed;  // by gate
  // State of the current collective:
  absl::Span<const CollectiveBuffers> currentBuffers;  // by tensor
  std::vector<bool> isRemote;                          // by member
  // Scratch of reductions, by member; kept, so that steps allocate nothing.
  std::vector<RowLayout> rowLayouts;
  std::vector<const std::byte*> sources;
  std::vector<const std::byte*> rowBegins;
  std::vector<std::byte> aside;                // results set aside, packed
  std::vector<uint64_t> numSent, numReceived;  // by peer: messages by UCX
  int64_t mailboxPeer = -1;  // receiver of the mailbox's last piece; -1: none
  std::vector<const std::string*> sendNames, receiveNames;  // by peer
  std::atomic<int64_t> numBytesReceived{0};
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_RANKCOMMUNICATOR_H_
