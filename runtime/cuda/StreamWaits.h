// Waits of a GPU's stream for other ranks, as the host sees them. The watchdog
// has to distinguish a rank that waits for others from a rank whose kernel
// hangs (watchdog/Activity.h). The driver cannot say which of the two a stream
// does, so the stream itself reports its waits.

#ifndef RUNTIME_CUDA_STREAMWAITS_H_
#define RUNTIME_CUDA_STREAMWAITS_H_

#include <cstdint>
#include <deque>
#include <string>

#include "runtime/communication/DeviceWork.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/PeerBoard.h"

namespace sbp::cuda {

/// The waits that the host has put into a stream. Before and after each wait,
/// the stream writes the number of begins and ends so far to a word on the
/// rank's board (PeerBoard.h): the number is odd during a wait. An object of
/// this class belongs to one thread.
class StreamWaits {
 public:
  /// Constructs the waits of a stream that counts at byte `offset` of `board`,
  /// which must outlive this object.
  StreamWaits(const PeerBoard& board, int64_t offset)
      : board_(board), offset_(offset) {}

  /// Return the operation that the stream must perform before a wait for other
  /// ranks, and the operation that it must perform after the wait. `name` names
  /// the collective or transfer that waits. The string must outlive this
  /// object.
  MemoryOp begin(const std::string& name);
  MemoryOp end();

  /// Returns what the stream does now.
  communication::DeviceWork now();

 private:
  const PeerBoard& board_;
  const int64_t offset_;
  uint32_t numPoints_ = 0;  // number of calls of begin() and end()
  // Names of the waits put into the stream, oldest first. now() removes those
  // that have ended.
  std::deque<const std::string*> names_;
  uint32_t numEnded_ = 0;  // number of waits removed from names_
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_STREAMWAITS_H_
