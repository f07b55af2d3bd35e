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

  /// Writes `numbers` to the ring, as a list for the work that the host starts
  /// next. Returns the offset of the list on the board. Blocks, by `waitUntil`,
  /// until the ring has room: lists of unfinished work are not overwritten.
  absl::StatusOr<int64_t> list(absl::Span<const int64_t> numbers,
                               const WaitUntil& waitUntil);

  /// Returns the operation by which the stream reports that it has done the
  /// work that was started since the previous call. Perform it after that work:
  /// the lists of the work may then be overwritten.
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
  // Positions grow for ever: position p is number p modulo the size of the
  // ring.
  int64_t next_ = 0, oldest_ = 0;
  uint32_t work_ = 1;  // number of the work for which list() is called
  std::deque<Piece> pieces_;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_LANE_H_
