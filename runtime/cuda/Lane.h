// A lane: a stream in which collectives or receives of a rank run, and a ring
// of numbers on the rank's board through which they learn where buffers lie
// (PeerBoard.h).

#ifndef RUNTIME_CUDA_LANE_H_
#define RUNTIME_CUDA_LANE_H_

#include <cstdint>
#include <deque>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/PeerBoard.h"
#include "runtime/cuda/Stream.h"

namespace sbp::cuda {

/// One lane; see above. It belongs to one thread.
class Lane {
 public:
  /// Constructs lane `number` of `board`, in `stream`. Both must outlive it.
  Lane(const PeerBoard& board, const BoardLayout& layout, int64_t number,
       Stream& stream)
      : board_(board),
        done_(layout.done(number)),
        ring_(layout.ring(number)),
        stream_(stream) {}

  Stream& stream() { return stream_; }

  /// Lists `numbers` for work that is asked for next. Returns the offset of the
  /// list on the board. Waits by `waitUntil` until there is room: the lists of
  /// work that has not been done must stay.
  absl::StatusOr<int64_t> list(absl::Span<const int64_t> numbers,
                               const WaitUntil& waitUntil);

  /// Returns the operation that tells the host that the work since the last one
  /// has been done, so that its lists may go. To be performed after the work.
  MemoryOp endOfWork();

 private:
  /// A part of the ring that is in use until the work numbered `work` has been
  /// done.
  struct Piece {
    int64_t end = 0;  // position of the number after the last one
    uint32_t work = 0;
  };

  bool isDone(uint32_t work) const {
    return static_cast<int32_t>(board_.count(done_) - work) >= 0;
  }

  const PeerBoard& board_;
  const int64_t done_, ring_;  // offsets on the board
  Stream& stream_;
  // Positions count all numbers ever listed; position p is at p modulo the size
  // of the ring.
  int64_t next_ = 0, oldest_ = 0;
  uint32_t work_ = 1;  // number of the work that is asked for now
  std::deque<Piece> pieces_;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_LANE_H_
