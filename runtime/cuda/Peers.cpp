#include "runtime/cuda/Peers.h"

#include <unistd.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_split.h"
#include "runtime/communication/Host.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

const std::string kOtherHost = "they run on different hosts";

}  // namespace

/// A card is sent as text: its fields, separated by spaces.
struct Peers::Card {
  bool isOffered = false;  // whether others may map the memory
  std::string host;
  int64_t process = 0;
  int board = -1;  // descriptor
  IpcHandle arena;
  /// The arena and the object of the board, for ranks of the same process.
  Address address = 0;
  const PeerBoard* object = nullptr;
  std::string gpu;

  std::string encode() const {
    return fmt::format(
        "{} {} {} {} {} {} {} {}", isOffered ? 1 : 0, host, process, board,
        absl::BytesToHexString({arena.bytes, sizeof arena.bytes}), address,
        reinterpret_cast<uintptr_t>(object), gpu);
  }

  static Card decode(const std::string& text) {
    Card card;
    std::istringstream words(text);
    std::string handle;
    uintptr_t object = 0;
    words >> card.isOffered >> card.host >> card.process >> card.board >>
        handle >> card.address >> object >> card.gpu;
    const std::string bytes = absl::HexStringToBytes(handle);
    if (!words || bytes.size() != sizeof card.arena.bytes) return Card();
    bytes.copy(card.arena.bytes, bytes.size());
    card.object = reinterpret_cast<const PeerBoard*>(object);
    return card;
  }
};

absl::StatusOr<Peers> Peers::connect(
    const CudaDevice& device, const BoardLayout& layout,
    const absl::StatusOr<PeerBoard*>& board,
    communication::Communicator& communicator) {
  Peers result;
  result.rank_ = communicator.rank();
  const int64_t numRanks = communicator.size();
  result.peers_.resize(numRanks);
  Peer& mine = result.peers_[result.rank_];
  mine.arena = device.arena();
  const Gpu& gpu = device.gpu();
  Card card;
  card.host = communication::thisHost().id;
  card.process = getpid();
  card.address = device.arena();
  card.gpu = gpu.uuid();
  absl::Status offered = board.status();
  if (offered.ok())
    offered = gpu.driver().check(
        gpu.driver().ipcGetMemHandle(&card.arena, device.arena()),
        "cuIpcGetMemHandle");
  card.isOffered = offered.ok();
  if (board.ok()) {
    mine.board = (*board)->view();
    card.board = (*board)->fd();
    card.object = *board;
  }
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                       communicator.allGather(card.encode()));
  std::vector<std::string> obstacles;
  for (int64_t rank = 0; rank < numRanks; ++rank) {
    const Card theirs = Card::decode(texts[rank]);
    result.hosts_.push_back(theirs.host);
    std::string& obstacle = obstacles.emplace_back();
    if (rank == result.rank_)
      obstacle = textOf(offered);
    else if (theirs.host == card.host)
      obstacle = result.map(card, theirs, rank, device, layout);
  }
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> all,
                       communicator.allGather(absl::StrJoin(obstacles, "\n")));
  if (board.ok()) (*board)->closeDescriptor();
  for (const std::string& ofRank : all) {
    result.obstacles_.push_back(absl::StrSplit(ofRank, '\n'));
    result.obstacles_.back().resize(numRanks);
  }
  return result;
}

std::string Peers::map(const Card& mine, const Card& card, int64_t rank,
                       const CudaDevice& device, const BoardLayout& layout) {
  if (!mine.isOffered || !card.isOffered) return "one of them offers no memory";
  Peer& peer = peers_[rank];
  if (card.process == mine.process) {
    if (card.gpu != mine.gpu) return "they are threads, with different GPUs";
    peer.arena = card.address;
    peer.board = card.object->view();
    return "";
  }
  absl::StatusOr<PeerBoard> board =
      PeerBoard::open(layout, device.gpu(), card.process, card.board);
  if (!board.ok()) return textOf(board.status());
  peer.board = *std::move(board);
  const Driver& driver = device.gpu().driver();
  const absl::Status opened = driver.check(
      driver.ipcOpenMemHandle(&peer.arena, card.arena, kIpcPeerAccess),
      "cuIpcOpenMemHandle");
  return textOf(opened);
}

std::string Peers::whyNot(const std::vector<int64_t>& ranks) const {
  for (int64_t rank : ranks) {
    if (!obstacles_[rank][rank].empty())
      return fmt::format("rank {}: {}", rank, obstacles_[rank][rank]);
    for (int64_t other : ranks) {
      if (other == rank) continue;
      const std::string& obstacle =
          hosts_[rank] == hosts_[other] ? obstacles_[rank][other] : kOtherHost;
      if (!obstacle.empty())
        return fmt::format("rank {} does not reach the memory of rank {}: {}",
                           rank, other, obstacle);
    }
  }
  return "";
}

bool Peers::haveSeveralHosts() const {
  return std::any_of(hosts_.begin(), hosts_.end(),
                     [&](const auto& host) { return host != hosts_.front(); });
}

std::string Peers::obstacleOnHost() const {
  for (const std::string& host : std::set(hosts_.begin(), hosts_.end())) {
    std::vector<int64_t> ranks;
    for (size_t rank = 0; rank < hosts_.size(); ++rank)
      if (hosts_[rank] == host) ranks.push_back(static_cast<int64_t>(rank));
    if (std::string obstacle = whyNot(ranks); !obstacle.empty())
      return obstacle;
  }
  return "";
}

}  // namespace sbp::cuda
