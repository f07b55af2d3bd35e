// Where a GPU's stream waits for other ranks, as the host sees it. The watchdog
// has to tell a rank that waits from one whose kernel hangs (watchdog/
// Activity.h), but asking the driver would not say.

#ifndef RUNTIME_CUDA_STREAMWAITS_H_
#define RUNTIME_CUDA_STREAMWAITS_H_

#include <cstdint>
#include <deque>
#include <string>

#include "runtime/communication/DeviceWork.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/PeerBoard.h"

namespace sbp::cuda {

/// The waits that a stream has been asked for. The stream counts their begins
/// and ends in a word on the rank's board. It belongs to one thread.
class StreamWaits {
 public:
  /// Constructs the waits of a stream that counts at byte `offset` of `board`,
  /// which must outlive this object.
  StreamWaits(const PeerBoard& board, int64_t offset)
      : board_(board), offset_(offset) {}

  /// Return the operations to perform before and after a wait for other ranks
  /// in `name`, which must outlive this object.
  MemoryOp begin(const std::string& name);
  MemoryOp end();

  /// Returns what the stream does now.
  communication::DeviceWork now();

 private:
  const PeerBoard& board_;
  const int64_t offset_;
  uint32_t numPoints_ = 0;  // begins and ends that were asked for
  // Names of the waits that have not ended, as far as is known, oldest first.
  std::deque<const std::string*> names_;
  uint32_t numEnded_ = 0;  // waits that names_ has no more
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_STREAMWAITS_H_
