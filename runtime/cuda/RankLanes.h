// The lanes (Lane.h) in which a rank's GPU runs collectives, the rank's board
// (PeerBoard.h), and a record of what the GPU waits for.
//
// Collectives with other ranks run in the stream that communicates, and local
// collectives (plan::isLocal) in the stream that computes. Both streams report
// their waits for other ranks on the rank's board (StreamWaits.h).

#ifndef RUNTIME_CUDA_RANKLANES_H_
#define RUNTIME_CUDA_RANKLANES_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "runtime/communication/DeviceWork.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Lane.h"
#include "runtime/cuda/PeerBoard.h"
#include "runtime/cuda/StreamWaits.h"

namespace sbp::cuda {

/// The lanes and the board of one rank. They belong to one thread.
class RankLanes {
 public:
  /// Numbers of the lanes on the board: the lane of collectives with other
  /// ranks, the lane of local collectives, and the first number for further
  /// lanes.
  static constexpr int64_t kCollective = 0;
  static constexpr int64_t kLocal = 1;
  static constexpr int64_t kFirstOther = 2;

  /// Allocates a board of `layout` for the GPU of `device`. `waitUntil` is
  /// called where the host must wait for the GPU. Fails if streams of the GPU
  /// cannot wait for words in memory, or if the board cannot be allocated.
  /// `device` must outlive the result.
  static absl::StatusOr<std::unique_ptr<RankLanes>> create(
      CudaDevice& device, const BoardLayout& layout, WaitUntil waitUntil);

  CudaDevice& device() { return device_; }
  PeerBoard& board() { return board_; }
  const BoardLayout& layout() const { return layout_; }
  const WaitUntil& waitUntil() const { return waitUntil_; }

  Lane& collective() { return collective_; }
  Lane& local() { return local_; }

  /// Return the waits of the stream that communicates, and of the stream that
  /// computes.
  StreamWaits& communicationWaits() { return communicationWaits_; }
  StreamWaits& computeWaits() { return computeWaits_; }

  /// Returns what the two streams do now, as the work of one device.
  communication::DeviceWork now();

 private:
  RankLanes(CudaDevice& device, const BoardLayout& layout, PeerBoard board,
            WaitUntil waitUntil)
      : device_(device),
        layout_(layout),
        board_(std::move(board)),
        waitUntil_(std::move(waitUntil)),
        collective_(board_, layout_, kCollective, device.communicationStream()),
        local_(board_, layout_, kLocal, device.stream()),
        communicationWaits_(board_, BoardLayout::kCommunicationWaits),
        computeWaits_(board_, BoardLayout::kComputeWaits) {}

  CudaDevice& device_;
  const BoardLayout layout_;
  PeerBoard board_;
  const WaitUntil waitUntil_;
  Lane collective_, local_;
  StreamWaits communicationWaits_, computeWaits_;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_RANKLANES_H_
