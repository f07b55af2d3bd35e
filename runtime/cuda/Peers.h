// The ranks of a host whose GPUs reach each other's memory.
//
// Each rank lets the others map its arena and its board (PeerBoard.h). A GPU
// reaches the arena of another one over NVLink or PCIe, or because it is the
// same GPU. Two ranks are peers if each reaches both of the other.

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
  /// Lets all ranks map each other's memory. `device` must outlive the result.
  /// Every rank must call it. Ranks that cannot map each other's memory are no
  /// peers; that is no error. Fails, on all ranks, if the world aborts.
  static absl::StatusOr<Peers> connect(
      const CudaDevice& device, const BoardLayout& layout,
      communication::Communicator& communicator);

  /// Whether each two of `ranks` are peers. All ranks have the same answer.
  bool arePeers(const std::vector<int64_t>& ranks) const;

  /// Returns why two of `ranks` are no peers: "rank 1 cannot map the memory of
  /// rank 0: ...".
  std::string whyNot(const std::vector<int64_t>& ranks) const;

  /// Returns why two ranks of one host are no peers; empty if all are.
  std::string obstacleOnHost() const;

  const Peer& of(int64_t rank) const { return peers_[rank]; }

  /// Returns the board of this rank.
  const PeerBoard& board() const { return peers_[rank_].board; }

 private:
  /// A rank's description of its memory, for the others.
  struct Card;

  /// Maps the memory that `card`, of a rank of this host, describes. Returns
  /// why that is impossible, or "".
  std::string map(const Card& mine, const Card& card, int64_t rank,
                  const CudaDevice& device, const BoardLayout& layout);

  int64_t rank_ = 0;
  std::vector<Peer> peers_;         // by rank
  std::vector<std::string> hosts_;  // by rank
  // Why a rank cannot map the memory of another one of its host, or what keeps
  // it from offering its own; by rank and other rank.
  std::vector<std::vector<std::string>> obstacles_;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_PEERS_H_
