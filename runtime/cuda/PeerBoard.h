// Words in host memory by which streams of the GPUs of one host wait for each
// other.
//
//   | list | waits | gates | send cells | receive cells | lanes: done, ring |
//
// Each rank has a board. The rank's own streams write words on the board.
// Streams of other ranks read these words, or wait until a word reaches some
// value. The GPUs do this without help of their hosts. The parts of a board:
//
//   list            offset, on the board, of the list of the rank's buffers in
//                   the current collective (RowKernels.h)
//   waits           for each stream that waits for other ranks, number of its
//                   waits that have begun plus number that have ended
//                   (StreamWaits.h)
//   gates           number of barriers that the rank has reached, by gate
//                   (communication/Gates.h)
//   send cells      for each occurrence of a transfer, how often the rank has
//                   started to send it, and the buffer of the latest send
//   receive cells   for each occurrence of a transfer, how often the rank has
//                   received it
//   lanes           for each lane (Lane.h), number of the latest work that is
//                   done, and a ring of numbers, to which the host writes the
//                   buffers of work that it starts
//
// Counts have 32 bits, and wrap around.

#ifndef RUNTIME_CUDA_PEERBOARD_H_
#define RUNTIME_CUDA_PEERBOARD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/Gpu.h"

namespace sbp::cuda {

/// The layout of a board. Its three numbers are equal on all ranks.
struct BoardLayout {
  int64_t numGates = 1;
  int64_t numCells = 0;  // number of occurrences of all transfers
  int64_t numLanes = 1;

  /// Size of the ring of a lane, in numbers: enough for dozens of the largest
  /// buckets, so that the host seldom has to wait until the GPU has read older
  /// numbers.
  static constexpr int64_t kRingNumbers = 1 << 16;

  // Offsets in bytes.
  static constexpr int64_t kList = 0;  // an i64
  // A u32 each: the waits of the stream that communicates, and of the stream
  // that computes.
  static constexpr int64_t kCommunicationWaits = 8;
  static constexpr int64_t kComputeWaits = 12;
  int64_t gate(int64_t number) const;         // a u32
  int64_t sentBuffer(int64_t cell) const;     // an i64
  int64_t sentCount(int64_t cell) const;      // a u32
  int64_t receivedCount(int64_t cell) const;  // a u32
  int64_t done(int64_t lane) const;           // a u32
  int64_t ring(int64_t lane) const;           // kRingNumbers i64
  int64_t bytes() const;
};

/// The board of one rank, as this process and its GPU see it.
class PeerBoard {
 public:
  /// Allocates the board of this rank, filled with zeros, for `gpu`. `gpu` must
  /// outlive the board.
  static absl::StatusOr<PeerBoard> allocate(const BoardLayout& layout,
                                            const Gpu& gpu);

  /// Maps the board that process `pid` of this host shares under descriptor
  /// `fd`.
  static absl::StatusOr<PeerBoard> open(const BoardLayout& layout,
                                        const Gpu& gpu, int64_t pid, int fd);

  /// Constructs an object without memory, for a board that is not mapped.
  PeerBoard() = default;
  PeerBoard(PeerBoard&& other) noexcept { *this = std::move(other); }
  PeerBoard& operator=(PeerBoard&& other) noexcept;
  ~PeerBoard();

  /// Returns another object that refers to the same board. The result must not
  /// outlive this object.
  PeerBoard view() const;

  /// The descriptor through which other processes map the board. Call
  /// closeDescriptor() only after all of them have mapped it.
  int fd() const { return descriptor_; }
  void closeDescriptor();

  /// Returns the address by which the GPU accesses byte `offset`.
  Address at(int64_t offset) const { return address_ + offset; }

  /// Returns the count at byte `offset`.
  uint32_t count(int64_t offset) const {
    return reinterpret_cast<const std::atomic<uint32_t>*>(base_ + offset)
        ->load(std::memory_order_acquire);
  }
  /// Returns the address, for the host, of the numbers at byte `offset`.
  int64_t* numbers(int64_t offset) const {
    return reinterpret_cast<int64_t*>(base_ + offset);
  }

 private:
  absl::Status map(int64_t bytes, const Gpu& gpu);

  const Gpu* gpu_ = nullptr;  // null if this object does not own the board
  std::byte* base_ = nullptr;
  int64_t bytes_ = 0;
  int descriptor_ = -1;
  Address address_ = 0;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_PEERBOARD_H_
