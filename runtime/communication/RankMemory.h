// The memory of a rank: its arena, and in front of it what other ranks look at.
//
//   | gates | board | sent | taken | cells | buffers | mailbox |   arena   |
//
// A rank writes its own memory only; the ranks that share it map it read-only,
// so that no rank can damage another. Whatever passes between two ranks
// therefore is one that shows and one that looks: a gate says how far I am, the
// board shows some words to everybody, the mailbox holds what I send, `taken`
// says what I have got of others.
//
// Shared memory has no name: it is a memfd, which the others open by the number
// of this process and of its descriptor, and which is gone with its last user.

#ifndef RUNTIME_COMMUNICATION_RANKMEMORY_H_
#define RUNTIME_COMMUNICATION_RANKMEMORY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/communication/Words.h"

namespace sbp::communication {

/// How far a rank has come in the collectives of one gate, and where its
/// buffers of the current one are: those of the first tensors, so that mostly
/// one look at one cache line tells everything.
struct alignas(64) Gate {
  static constexpr size_t kNumBuffers = 3;

  std::atomic<uint64_t> passed{0};  // waits here that the rank came to
  // Written before `passed` is, and not again until every member has left the
  // collective.
  uint64_t signature = 0;
  CollectiveBuffers buffers[kNumBuffers];
};
static_assert(sizeof(Gate) == 64);

/// The words of a rank in exchanges, by turns: others may still be reading
/// those of the last ones while the rank writes those of the next.
struct alignas(64) Board {
  std::atomic<int64_t> numOffered{0};
  Words words[kWordTurns] = {};
};

/// What a rank shows of one occurrence of a transfer that it sends: how often
/// it has started it, and where its buffer in the arena is since. Written again
/// only when all who take of it have.
struct SendCell {
  std::atomic<uint64_t> number{0};
  int64_t buffer = 0;
};

/// What determines where things lie; equal on all ranks but for arenaBytes.
struct MemoryLayout {
  int64_t numGates = 1;
  int64_t numRanks = 1;
  int64_t numCells = 0;  // of occurrences of transfers
  int64_t arenaBytes = 0;

  int64_t boardOffset() const;
  int64_t sentOffset() const;
  int64_t takenOffset() const;
  int64_t sendCellsOffset() const;
  int64_t receiveCellsOffset() const;
  int64_t buffersOffset() const;
  int64_t mailboxOffset() const;
  int64_t arenaOffset() const;
  int64_t totalBytes() const;
};

/// Bytes that one look into a mailbox can bring.
inline constexpr int64_t kMailboxBytes = 256 * 1024;

/// One rank's memory as this process sees it: its own, or another's.
class RankMemory {
 public:
  /// Allocates memory of this rank: shared or private, zero, and touched, so
  /// that a host that has not enough of it says so now.
  static absl::StatusOr<RankMemory> allocate(const MemoryLayout& layout,
                                             bool isShared);

  /// Maps the memory that the process `pid` of this host has shared under
  /// descriptor `fd`. Fails if that process may not be looked at.
  static absl::StatusOr<RankMemory> open(const MemoryLayout& layout,
                                         int64_t pid, int fd);

  RankMemory() = default;
  RankMemory(RankMemory&& other) noexcept;
  RankMemory& operator=(RankMemory&& other) noexcept;
  ~RankMemory();

  /// A second view of memory of the same process, for ranks that are threads.
  RankMemory view() const;

  bool isMapped() const { return base != nullptr; }

  /// The descriptor to share, -1 of private memory. Open until
  /// closeDescriptor(): call it when the others have mapped the memory.
  int fd() const { return descriptor; }
  void closeDescriptor();

  Gate& gate(int64_t number) const { return at<Gate>(0)[number]; }

  /// Where this rank's buffers of one tensor are in the current collective of a
  /// gate. A rank is in one at a time, so that all gates have the memory for
  /// what does not fit into them in common.
  CollectiveBuffers& buffersAt(int64_t gateNumber, size_t tensor) const {
    return tensor < Gate::kNumBuffers
               ? gate(gateNumber).buffers[tensor]
               : at<CollectiveBuffers>(
                     layout.buffersOffset())[tensor - Gate::kNumBuffers];
  }

  Board& board() const { return *at<Board>(layout.boardOffset()); }

  /// Pieces of messages that this rank has put into its mailbox for `peer`, and
  /// has got out of the mailbox of `peer`, so far.
  std::atomic<uint64_t>& sent(int64_t peer) const {
    return at<std::atomic<uint64_t>>(layout.sentOffset())[peer];
  }
  std::atomic<uint64_t>& taken(int64_t peer) const {
    return at<std::atomic<uint64_t>>(layout.takenOffset())[peer];
  }
  SendCell& sendCell(int64_t cell) const {
    return at<SendCell>(layout.sendCellsOffset())[cell];
  }
  /// How often this rank has taken what it takes of an occurrence.
  std::atomic<uint64_t>& receiveCell(int64_t cell) const {
    return at<std::atomic<uint64_t>>(layout.receiveCellsOffset())[cell];
  }
  std::byte* mailbox() const { return base + layout.mailboxOffset(); }
  std::byte* arena() const { return base + layout.arenaOffset(); }
  int64_t arenaBytes() const { return layout.arenaBytes; }

 private:
  template <typename T>
  T* at(int64_t offset) const {
    return reinterpret_cast<T*>(base + offset);
  }

  MemoryLayout layout;
  std::byte* base = nullptr;
  bool ownsMapping = false;
  int descriptor = -1;
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_RANKMEMORY_H_
