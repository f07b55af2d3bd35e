// Who accesses one memory, to see accesses whose order nothing tells.
//
// Two threads of a block have an order where a barrier is between what they do;
// those of different blocks have none. So if one of them stores where the other
// loads or stores, what happens is not known. A shuffle is no order of
// accesses to memory.

#ifndef CODEGEN_CUDA_SIMT_RACES_H_
#define CODEGEN_CUDA_SIMT_RACES_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace sbp::cuda::simt {

/// A thread between two barriers.
struct Accessor {
  int32_t block = -1;
  int32_t thread = -1;    // of its block
  int32_t interval = -1;  // so many barriers has its block passed
};

class Races {
 public:
  enum class Memory {
    Global,  // of all blocks
    Shared,  // each block has its own; they run one after the other
  };

  Races(Memory memory, int64_t bytes)
      : memory_(memory), parts_((bytes + kMostBytes - 1) / kMostBytes) {}

  /// Notes that `by` loads or stores the bytes from `first` on, which are in
  /// the memory. Who accesses one of them as well, in no order; none if nobody
  /// does.
  std::optional<Accessor> note(int64_t first, int64_t count, bool isStore,
                               const Accessor& by);

 private:
  static constexpr int64_t kMostBytes = 4;

  /// Some neighbouring bytes, of which nobody has accessed one alone.
  struct Part {
    Accessor writer, reader;           // the last ones
    bool haveOthersRead = false;       // in the reader's interval
    bool haveOtherBlocksRead = false;  // than the reader's
  };

  void halveParts();
  static std::optional<Accessor> conflict(const Part& part, bool isStore,
                                          const Accessor& by);
  static void addReader(Part& part, const Accessor& by);

  Memory memory_;
  int64_t bytesOfPart_ = kMostBytes;
  std::vector<Part> parts_;
};

}  // namespace sbp::cuda::simt

#endif  // CODEGEN_CUDA_SIMT_RACES_H_
