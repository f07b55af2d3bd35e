// Detection of data races in one buffer, or in shared memory.
//
// A barrier orders the accesses of two threads of a block; nothing orders
// accesses of threads of different blocks, and a shuffle orders no accesses.
// Two accesses to the same byte that have no order, one of them a store, are a
// race. For each granule of memory, one to four adjacent bytes, RaceDetector
// records the last thread that has stored to it and the last thread that has
// loaded from it.

#ifndef CODEGEN_CUDA_TESTING_SIMT_RACEDETECTOR_H_
#define CODEGEN_CUDA_TESTING_SIMT_RACEDETECTOR_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace sbp::cuda::simt {

/// A thread, in the interval between two barriers of its block. -1: no thread.
struct Accessor {
  int32_t block = -1;
  int32_t thread = -1;    // index in its block
  int32_t interval = -1;  // number of barriers that its block has passed
};

/// Finds races among the accesses to one memory.
class RaceDetector {
 public:
  /// Kind of the memory of a GPU.
  enum class Memory {
    Global,  // one memory for all blocks
    Shared,  // each block has its own; blocks run one after the other
  };

  RaceDetector(Memory memory, int64_t bytes)
      : memory_(memory),
        granules_((bytes + kMostGranuleBytes - 1) / kMostGranuleBytes) {}

  /// Records that `by` loads or stores the `count` bytes from `first` on, which
  /// must be inside of the memory. Returns a thread whose earlier access is in
  /// a race with this one, or nullopt if there is none.
  std::optional<Accessor> note(int64_t first, int64_t count, bool isStore,
                               const Accessor& by);

 private:
  static constexpr int64_t kMostGranuleBytes = 4;

  /// The last accesses to a granule: granuleBytes_ adjacent bytes. Each access
  /// so far has covered all of them or none.
  struct Granule {
    Accessor writer, reader;  // the last thread that stored, and that loaded
    /// Whether other threads of the reader's block have loaded in the reader's
    /// interval.
    bool haveOthersRead = false;
    /// Whether threads of other blocks than the reader's have loaded.
    bool haveOtherBlocksRead = false;
  };

  /// Halves the size of granules.
  void splitGranules();
  static std::optional<Accessor> conflict(const Granule& granule, bool isStore,
                                          const Accessor& by);
  static void addReader(Granule& granule, const Accessor& by);

  Memory memory_;
  int64_t granuleBytes_ = kMostGranuleBytes;
  std::vector<Granule> granules_;
};

}  // namespace sbp::cuda::simt

#endif  // CODEGEN_CUDA_TESTING_SIMT_RACEDETECTOR_H_
