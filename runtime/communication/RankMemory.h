// The memory of a rank: its arena, preceded by data for other ranks.
//
//   | gates | board | sent | taken | send cells | receive cells | buffers |
//   | mailbox | arena |
//
// A rank writes only its own memory; other processes map it read-only, so that
// no rank can damage another one. So all data between two ranks is published by
// one rank in its own memory, and read there by the other rank:
//
//   gates           how many times the rank has reached each barrier (Gates.h)
//   board           64-bit words that the rank offers to all ranks
//   mailbox         a piece of a message
//   sent, taken     numbers of pieces that the rank has put into its mailbox
//                   for each other rank, and has taken out of each other
//                   rank's mailbox
//   send cells      what the rank sends in transfers
//   receive cells   what the rank has received in transfers
//   buffers         where the tensors of the current collective lie
//
// Shared memory has no name. It is a memfd, which other ranks open by the
// process id and descriptor number of its owner. It disappears when its last
// user ends.

#ifndef RUNTIME_COMMUNICATION_RANKMEMORY_H_
#define RUNTIME_COMMUNICATION_RANKMEMORY_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/communication/Words.h"

namespace sbp::communication {

/// The state of one rank at a gate, which is a barrier among the members of
/// collectives (Gates.h): how many times the rank has reached the gate, and the
/// rank's buffers in the current collective of this gate. The buffers of the
/// first kNumBuffers tensors are stored here, so that other ranks usually read
/// a single cache line.
struct alignas(64) Gate {
  static constexpr size_t kNumBuffers = 3;

  /// Number of times that the rank has reached this gate.
  std::atomic<uint64_t> passed{0};
  // The following fields are written before `passed` is incremented at the
  // beginning of a collective. They are not written again until every member
  // has read what it needs.
  uint64_t signature = 0;
  CollectiveBuffers buffers[kNumBuffers];
};
static_assert(sizeof(Gate) == 64);

/// The words that a rank offers to all other ranks in exchanges of words
/// (WordExchange.h). Offer k is written to words[k mod kWordSets], because
/// others may still read older offers while the rank writes the next one.
struct alignas(64) Board {
  std::atomic<int64_t> numOffered{0};  // number of offers made
  Words words[kWordSets] = {};
};

/// The sender's state of one occurrence of a transfer, published for the
/// receivers: the number of times that the send has been started, and the
/// offset of its buffer in the arena. The sender writes the cell again only
/// after all receivers have taken their parcels (GroupTransfer.h). Runs of a
/// transfer that may be under way at the same time are different occurrences
/// (Collectives::run); later runs use the same occurrences again.
struct SendCell {
  std::atomic<uint64_t> number{0};
  int64_t buffer = 0;
};

/// The sizes that determine the layout; equal on all ranks except for
/// arenaBytes.
struct MemoryLayout {
  int64_t numGates = 1;
  int64_t numRanks = 1;
  int64_t numCells = 0;  // total number of occurrences of all transfers
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

/// Size of the mailbox in bytes: the largest piece of a message.
inline constexpr int64_t kMailboxBytes = 256 * 1024;

/// The memory of one rank, its owner, as this process sees it. This process may
/// be the owner or another rank.
class RankMemory {
 public:
  /// Allocates memory of this rank, shared or private, filled with zeros.
  /// Touches all pages, so that a lack of memory on the host is found here and
  /// not later. Fails with kResourceExhausted.
  static absl::StatusOr<RankMemory> allocate(const MemoryLayout& layout,
                                             bool isShared);

  /// Maps, for reading only, the memory that process `pid` of this host shares
  /// under descriptor `fd`. Fails with kResourceExhausted if this process or
  /// the host has too many open files, and otherwise with kPermissionDenied.
  static absl::StatusOr<RankMemory> open(const MemoryLayout& layout,
                                         int64_t pid, int fd);

  /// Constructs memory that is not mapped.
  RankMemory() = default;
  RankMemory(RankMemory&& other) noexcept;
  RankMemory& operator=(RankMemory&& other) noexcept;
  ~RankMemory();

  /// Returns another object that refers to the same memory, for ranks that are
  /// threads of one process. The result must not outlive this object.
  RankMemory view() const;

  bool isMapped() const { return base != nullptr; }

  /// Returns the descriptor by which others map the memory; -1 for private
  /// memory. The descriptor stays open until closeDescriptor() is called. Call
  /// that only after all others have mapped the memory.
  int fd() const { return descriptor; }
  void closeDescriptor();

  Gate& gate(int64_t number) const { return at<Gate>(0)[number]; }

  /// Returns the owner's buffers of tensor `tensor` in the current collective
  /// of a gate. A gate itself holds the buffers of the first kNumBuffers
  /// tensors. All gates share the memory for the buffers of further tensors,
  /// because a rank is in one collective at a time.
  CollectiveBuffers& buffersAt(int64_t gateNumber, size_t tensor) const {
    return tensor < Gate::kNumBuffers
               ? gate(gateNumber).buffers[tensor]
               : at<CollectiveBuffers>(
                     layout.buffersOffset())[tensor - Gate::kNumBuffers];
  }

  Board& board() const { return *at<Board>(layout.boardOffset()); }

  /// The number of pieces of messages that the owner has put into its mailbox
  /// for `peer`.
  std::atomic<uint64_t>& sent(int64_t peer) const {
    return at<std::atomic<uint64_t>>(layout.sentOffset())[peer];
  }
  /// The number of pieces that the owner has taken out of the mailbox of
  /// `peer`.
  std::atomic<uint64_t>& taken(int64_t peer) const {
    return at<std::atomic<uint64_t>>(layout.takenOffset())[peer];
  }
  SendCell& sendCell(int64_t cell) const {
    return at<SendCell>(layout.sendCellsOffset())[cell];
  }
  /// The number of times that the owner has received all its parcels of the
  /// occurrence with cell `cell`.
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
