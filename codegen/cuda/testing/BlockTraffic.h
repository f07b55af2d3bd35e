// What a block of a kernel moves between memory and its multiprocessor,
// counted while it runs on this CPU (codegen/cuda/simt/Machine.h).
//
// Memory is moved in sectors of 32 bytes. A block fetches each sector that its
// threads load once, if the multiprocessor's cache holds all of them until the
// block is over, and stores each once. How well accesses are coalesced is told
// by those of a warp's threads in one instruction, a request: which sectors it
// takes, and how many of their bytes it wants.

#ifndef CODEGEN_CUDA_TESTING_BLOCKTRAFFIC_H_
#define CODEGEN_CUDA_TESTING_BLOCKTRAFFIC_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "codegen/cuda/simt/Machine.h"

namespace sbp::cuda {

inline constexpr int64_t kBytesOfSector = 32;

/// Of one block, or of many.
struct Traffic {
  double loadedBytes = 0;  // of sectors, each counted once
  double storedBytes = 0;  // likewise
  double requests = 0;
  double requestedBytes = 0;  // of sectors, for each request anew
  double wantedBytes = 0;     // of these, what the requests ask for

  Traffic& operator+=(const Traffic& other);
  Traffic operator*(double factor) const;
};

class BlockTraffic : public simt::Observer {
 public:
  void note(const simt::Access& access) override;

  /// What was noted, which is forgotten.
  Traffic take();

 private:
  /// An access to one sector.
  struct Use {
    uint64_t request;
    uint64_t sector;
    int64_t bytes;
    bool isStore;
  };

  /// An instruction, and how often each thread of the block has come to it:
  /// those of a warp that come to it for the same time do so at once.
  struct Instruction {
    uint64_t number = 0;
    std::vector<uint32_t> times;  // by thread
  };

  uint64_t requestOf(const simt::Access& access);
  double numSectors(bool isStore) const;

  std::vector<Use> uses_;
  std::unordered_map<const void*, Instruction> instructions_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_BLOCKTRAFFIC_H_
