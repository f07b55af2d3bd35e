#include "runtime/communication/Assembly.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "runtime/communication/Gates.h"
#include "runtime/communication/GroupTransfer.h"
#include "runtime/communication/Host.h"
#include "runtime/communication/RankCommunicator.h"
#include "runtime/communication/WordExchange.h"
#include "runtime/file/Show.h"
#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

// Time that the control plane may need beyond the heartbeat timeout.
constexpr double kVerdictMarginSeconds = 2;

MemoryLayout layoutOf(const WorldOptions& options, int64_t rank) {
  MemoryLayout layout;
  layout.numGates = Gates(options.groups).count();
  layout.numRanks = options.arenaBytes.size();
  layout.numCells = firstCellOf(options.transfers,
                                static_cast<int64_t>(options.transfers.size()));
  layout.arenaBytes = options.arenaBytes[rank];
  return layout;
}

class Assembly {
 public:
  Assembly(const WorldOptions& options, int64_t rank, RankKind kind,
           std::unique_ptr<watchdog::Control> control,
           std::shared_ptr<watchdog::AbortFlag> flag)
      : options(options), kind(kind) {
    parts.rank = rank;
    parts.groups = options.groups;
    parts.transfers = options.transfers;
    parts.flag = std::move(flag);
    parts.control = std::move(control);
    parts.peers.resize(options.arenaBytes.size());
    parts.verdictSeconds =
        options.heartbeatTimeoutSeconds + kVerdictMarginSeconds;
  }

  absl::StatusOr<std::unique_ptr<Communicator>> run() {
    absl::Status status = putTogether();
    if (status.ok()) {
      return std::make_unique<RankCommunicator>(std::move(parts));
    }
    if (parts.flag->isRaised()) return parts.flag->status();
    // All ranks have the same error. The world ends without a verdict, since no
    // rank is to blame and one message is enough.
    SBP_RETURN_IF_ERROR(parts.control->finish());
    if (parts.rank == 0) return status;
    return absl::AbortedError(textOf(status));
  }

 private:
  absl::Status putTogether() {
    SBP_RETURN_IF_ERROR(introduceHosts());
    SBP_RETURN_IF_ERROR(allocate());
    SBP_RETURN_IF_ERROR(share());
    parts.peers[parts.rank] = parts.memory.view();
    if (needsMessages) SBP_RETURN_IF_ERROR(openUcx());
    describe();
    return absl::OkStatus();
  }

  absl::Status introduceHosts() {
    SBP_ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                         parts.control->allGather(encodeHostCard(thisHost())));
    std::set<std::string> ids;
    for (const std::string& text : texts) {
      cards.push_back(decodeHostCard(text));
      ids.insert(cards.back().id);
    }
    numHosts = ids.size();
    const std::string& myHost = cards[parts.rank].id;
    numHostRanks =
        std::count_if(cards.begin(), cards.end(),
                      [&](const HostCard& card) { return card.id == myHost; });
    parts.hasOwnCore = numHostRanks <= numProcessors(cards, myHost);
    needsMessages = numHosts > 1 || options.transport == Transport::kUcx;
    if (numHosts > 1 && options.transport == Transport::kSharedMemory) {
      return error(
          "the ranks are on {} hosts, or in as many containers, and transport "
          "shm reaches one only",
          numHosts);
    }
    if (parts.rank == 0 && !mayReachMemory(cards)) {
      file::show(stderr,
                 "note: ranks of one host are in user namespaces of their own, "
                 "share no memory, and use ucx over a network, which is "
                 "slower\n");
    }
    return absl::OkStatus();
  }

  absl::Status allocate() {
    const bool isShared = kind == RankKind::kProcess && numHostRanks > 1 &&
                          options.transport != Transport::kUcx;
    absl::StatusOr<RankMemory> memory =
        RankMemory::allocate(layoutOf(options, parts.rank), isShared);
    SBP_RETURN_IF_ERROR(parts.control->agree(memory.status()));
    parts.memory = *std::move(memory);
    return absl::OkStatus();
  }

  // Maps the memory of the other ranks of this host.
  absl::Status share() {
    if (options.transport == Transport::kUcx) return absl::OkStatus();
    std::string mine =
        kind == RankKind::kProcess
            ? fmt::format("{} {}", getpid(), parts.memory.fd())
            : fmt::format("{} 0", reinterpret_cast<uintptr_t>(&parts.memory));
    SBP_ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                         parts.control->allGather(mine));
    absl::Status status;
    for (int64_t peer = 0; peer < numRanks() && status.ok(); ++peer) {
      if (peer == parts.rank || cards[peer].id != cards[parts.rank].id) {
        continue;
      }
      status = map(peer, texts[peer]);
    }
    status = parts.control->agree(status);
    parts.memory.closeDescriptor();
    if (parts.flag->isRaised()) return status;
    if (status.ok()) {
      // The process ids that the other ranks have sent led to their memory. So
      // they are the ids of the right processes, which may be killed.
      for (int64_t peer = 0; peer < numRanks(); ++peer) {
        if (parts.peers[peer].isMapped()) parts.control->allowKill(peer);
      }
      return status;
    }
    const bool isLimited = absl::IsResourceExhausted(status);
    if (isLimited || options.transport == Transport::kSharedMemory)
      return status;
    for (RankMemory& peer : parts.peers) peer = RankMemory();
    needsMessages = true;
    if (parts.rank == 0) {
      file::show(stderr,
                 fmt::format("note: ranks of one host cannot share memory and "
                             "use ucx, which is slower: {}\n",
                             textOf(status)));
    }
    return absl::OkStatus();
  }

  absl::Status map(int64_t peer, const std::string& text) {
    const std::vector<std::string> words = absl::StrSplit(text, ' ');
    uint64_t where = 0;
    int descriptor = -1;
    if (words.size() != 2 || !absl::SimpleAtoi(words[0], &where) ||
        !absl::SimpleAtoi(words[1], &descriptor)) {
      return error("rank {} says that its memory is at \"{}\"", peer, text);
    }
    if (kind == RankKind::kThread) {
      parts.peers[peer] = reinterpret_cast<const RankMemory*>(where)->view();
      return absl::OkStatus();
    }
    SBP_ASSIGN_OR_RETURN(
        parts.peers[peer],
        RankMemory::open(layoutOf(options, peer), where, descriptor));
    return absl::OkStatus();
  }

  absl::Status openUcx() {
    std::string address;
    absl::Status status = [&]() -> absl::Status {
      SBP_ASSIGN_OR_RETURN(
          parts.ucx, UcxTransport::open(numRanks(), mayReachMemory(cards)));
      SBP_ASSIGN_OR_RETURN(address, parts.ucx->address());
      return absl::OkStatus();
    }();
    if (!status.ok()) {
      status = absl::Status(
          status.code(), fmt::format("ranks that share no memory need UCX: {}",
                                     textOf(status)));
    }
    SBP_RETURN_IF_ERROR(parts.control->agree(status));
    SBP_ASSIGN_OR_RETURN(const std::vector<std::string> addresses,
                         parts.control->allGather(address));
    for (int64_t peer = 0; peer < numRanks() && status.ok(); ++peer) {
      const int64_t distance = (peer - parts.rank + numRanks()) % numRanks();
      if (parts.peers[peer].isMapped() && !sendsWords(distance, numRanks()))
        continue;
      status = parts.ucx->connect(peer, addresses[peer]);
    }
    return parts.control->agree(status);
  }

  void describe() {
    const bool isSharing = parts.peers.size() > 1 &&
                           std::count_if(parts.peers.begin(), parts.peers.end(),
                                         [](const RankMemory& peer) {
                                           return peer.isMapped();
                                         }) > 1;
    if (kind == RankKind::kThread && isSharing) {
      parts.description = fmt::format("{} threads", numRanks());
    } else if (!needsMessages) {
      parts.description = fmt::format("shared memory, {} ranks", numRanks());
    } else if (numHosts == 1) {
      parts.description = fmt::format("ucx, {} ranks", numRanks());
    } else {
      parts.description =
          fmt::format("ucx between {} hosts, {} ranks", numHosts, numRanks());
    }
  }

  int64_t numRanks() const { return parts.peers.size(); }

  const WorldOptions& options;
  const RankKind kind;
  RankParts parts;
  std::vector<HostCard> cards;  // by rank
  int64_t numHosts = 1;
  int64_t numHostRanks = 1;
  bool needsMessages = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Communicator>> assembleAlone(
    const WorldOptions& options, std::shared_ptr<watchdog::AbortFlag> flag) {
  RankParts parts;
  parts.groups = options.groups;
  parts.flag = std::move(flag);
  SBP_ASSIGN_OR_RETURN(parts.memory, RankMemory::allocate(layoutOf(options, 0),
                                                          /*isShared=*/false));
  parts.peers.push_back(parts.memory.view());
  parts.description = "one rank";
  return std::make_unique<RankCommunicator>(std::move(parts));
}

absl::StatusOr<std::unique_ptr<Communicator>> assemble(
    const WorldOptions& options, int64_t rank, RankKind kind,
    std::unique_ptr<watchdog::Control> control,
    std::shared_ptr<watchdog::AbortFlag> flag) {
  return Assembly(options, rank, kind, std::move(control), std::move(flag))
      .run();
}

}  // namespace sbp::communication
