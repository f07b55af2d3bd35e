// Counts the memory traffic of a block of threads, while it runs in the
// simulator (codegen/cuda/testing/simt/Simulator.h).
//
// A GPU moves memory in sectors of 32 bytes. The counts assume that the cache
// of the multiprocessor holds all sectors of a block until the block ends, so
// that each sector is loaded once and stored once.
//
// A request is the access of a warp by one instruction. It takes whole sectors.
// The more bytes of these sectors the threads of the warp access, the better
// the request is coalesced.

#ifndef CODEGEN_CUDA_TESTING_BLOCKTRAFFIC_H_
#define CODEGEN_CUDA_TESTING_BLOCKTRAFFIC_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "codegen/cuda/testing/simt/Simulator.h"

namespace sbp::cuda {

/// Size of a sector.
inline constexpr int64_t kBytesOfSector = 32;

/// The traffic of one or more blocks. The numbers are not whole if they are
/// extrapolated.
struct Traffic {
  double loadedBytes = 0;     // bytes of all sectors loaded, each counted once
  double storedBytes = 0;     // bytes of all sectors stored, each counted once
  double requests = 0;        // number of requests
  double requestedBytes = 0;  // bytes of the sectors of all requests
  /// Bytes that threads access, summed over requests. Bytes that several
  /// threads of a request access count for each of them, but a sector counts as
  /// 32 bytes at most.
  double wantedBytes = 0;

  Traffic& operator+=(const Traffic& other);
  Traffic operator*(double factor) const;
};

/// Counts the traffic of one block at a time.
class BlockTraffic : public simt::Observer {
 public:
  void note(const simt::Access& access) override;

  /// Returns the traffic of the accesses since the last call, or since the
  /// start.
  Traffic take();

 private:
  /// The part of an access that lies in one sector.
  struct SectorAccess {
    uint64_t request;
    uint64_t sector;
    int64_t bytes;
    bool isStore;
  };

  /// An instruction, and how often each thread of the block has executed it.
  /// The n-th executions of the instruction by the threads of a warp are one
  /// request.
  struct Instruction {
    uint64_t number = 0;
    std::vector<uint32_t> executions;  // number of executions, by thread
  };

  uint64_t requestOf(const simt::Access& access);
  double numSectors(bool isStore) const;

  std::vector<SectorAccess> accesses_;
  std::unordered_map<const void*, Instruction> instructions_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_BLOCKTRAFFIC_H_
