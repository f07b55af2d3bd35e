// The ranks of a host whose GPUs reach each other's memory.
//
// Each rank lets the others map its arena and its board (PeerBoard.h). A GPU
// reaches the arena of another GPU over NVLink or PCIe; ranks on the same GPU
// reach each other's arenas directly. Two ranks are peers if the GPU of each
// reaches the arena and the board of the other.

#ifndef RUNTIME_CUDA_PEERS_H_
#define RUNTIME_CUDA_PEERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/communication/Communicator.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/PeerBoard.h"

namespace sbp::cuda {

/// The arena and the board of a rank, as this process and its GPU see them.
struct Peer {
  Address arena = 0;
  PeerBoard board;
};

/// The peers of a rank, and which ranks are peers of each other.
class Peers {
 public:
  /// Lets all ranks map each other's memory. This rank offers the arena of
  /// `device`, and `board`, whose layout is `layout`. If `board` is an error,
  /// it is the reason why this rank has no board. `device` and the board must
  /// outlive the result. Every rank must call it. Ranks that cannot map each
  /// other's memory are not peers; this is not an error. Fails, on all ranks,
  /// if the world aborts.
  static absl::StatusOr<Peers> connect(
      const CudaDevice& device, const BoardLayout& layout,
      const absl::StatusOr<PeerBoard*>& board,
      communication::Communicator& communicator);

  /// Returns why two of `ranks` are not peers: "rank 1 does not reach the
  /// memory of rank 0: ..."; empty if all of them are peers.
  std::string whyNot(const std::vector<int64_t>& ranks) const;

  /// Returns why two ranks of one host are not peers; empty if on each host all
  /// ranks are peers of each other.
  std::string obstacleOnHost() const;

  /// Whether the ranks run on more hosts than one.
  bool haveSeveralHosts() const;

  const Peer& of(int64_t rank) const { return peers_[rank]; }

 private:
  /// A rank's description of its memory, for the others.
  struct Card;

  /// Maps the memory of rank `rank`, another rank of this host, which `card`
  /// describes. `mine` is the card of this rank. Returns why the memory cannot
  /// be mapped, or "".
  std::string map(const Card& mine, const Card& card, int64_t rank,
                  const CudaDevice& device, const BoardLayout& layout);

  int64_t rank_ = 0;
  std::vector<Peer> peers_;         // by rank
  std::vector<std::string> hosts_;  // by rank
  // obstacles_[a][b] says why rank a cannot map the memory of rank b of its
  // host. obstacles_[a][a] says why rank a cannot offer its own memory. Empty:
  // no obstacle.
  std::vector<std::vector<std::string>> obstacles_;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_PEERS_H_
