// A lane: a stream in which a rank's collectives or receives run, together with
// a ring buffer of numbers on the rank's board (PeerBoard.h). The host writes
// the offsets of tensors to the ring, and the work in the stream reads them
// there.

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

/// One lane, as the head of this file defines it. It belongs to one thread.
class Lane {
 public:
  /// Constructs lane number `number` of `board`, whose work runs in `stream`.
  /// The board and the stream must outlive the lane.
  Lane(const PeerBoard& board, const BoardLayout& layout, int64_t number,
       Stream& stream)
      : board_(board),
        done_(layout.done(number)),
        ring_(layout.ring(number)),
        stream_(stream) {}

  Stream& stream() { return stream_; }
  const PeerBoard& board() const { return board_; }

  /// Writes `numbers` to the ring, as a list for the work that the host starts
  /// next. Returns the offset of the list on the board, in bytes. Does not
  /// overwrite lists of unfinished work: calls `waitUntil` to block until the
  /// ring has room. Fails if the list is longer than the ring.
  absl::StatusOr<int64_t> list(absl::Span<const int64_t> numbers,
                               const WaitUntil& waitUntil);

  /// Returns an operation that the caller must add to the stream
  /// (Stream::perform) after the work that it has started since the previous
  /// call. All this work has one number, work(). The operation reports on the
  /// board that the work is done, so that its lists may be overwritten.
  MemoryOp endOfWork();

  /// Returns the number of the work that the next endOfWork() ends.
  uint32_t work() const { return work_; }
  /// Whether work number `work` has been done.
  bool isDone(uint32_t work) const {
    return static_cast<int32_t>(board_.count(done_) - work) >= 0;
  }
  /// Returns an operation that makes a stream wait until work number `work` has
  /// been done.
  MemoryOp waitFor(uint32_t work) const {
    return {MemoryOp::kWait32, board_.at(done_), work};
  }

 private:
  /// A part of the ring that is in use until the work numbered `work` has been
  /// done.
  struct Piece {
    int64_t end = 0;  // position in the ring after the part
    uint32_t work = 0;
  };

  const PeerBoard& board_;
  const int64_t done_, ring_;  // offsets on the board
  Stream& stream_;
  // Positions in the ring grow for ever: position p is that of element p modulo
  // the size of the ring.
  int64_t next_ = 0, oldest_ = 0;
  uint32_t work_ = 1;
  std::deque<Piece> pieces_;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_LANE_H_
