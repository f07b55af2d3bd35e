#include "runtime/cuda/RankLanes.h"

#include "runtime/status/Status.h"

namespace sbp::cuda {

absl::StatusOr<std::unique_ptr<RankLanes>> RankLanes::create(
    CudaDevice& device, const BoardLayout& layout, WaitUntil waitUntil) {
  if (!device.gpu().canWaitForMemory())
    return error("NVIDIA's driver lets no stream wait for memory");
  SBP_ASSIGN_OR_RETURN(PeerBoard board,
                       PeerBoard::allocate(layout, device.gpu()));
  return std::unique_ptr<RankLanes>(
      new RankLanes(device, layout, std::move(board), std::move(waitUntil)));
}

communication::DeviceWork RankLanes::now() {
  const communication::DeviceWork communicates = communicationWaits_.now();
  const communication::DeviceWork computes = computeWaits_.now();
  // The stream that computes may wait for the other one.
  return {communicates.progress + computes.progress,
          computes.waitsIn ? computes.waitsIn : communicates.waitsIn};
}

}  // namespace sbp::cuda
