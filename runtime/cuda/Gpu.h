// A GPU as this process uses it: its identity, its memory, and the functions of
// the program that it has loaded.

#ifndef RUNTIME_CUDA_GPU_H_
#define RUNTIME_CUDA_GPU_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/Image.h"

namespace sbp::cuda {

/// The GPU of one rank, with a program's code.
class Gpu {
 public:
  /// Opens a GPU for rank number `localRank` (from 0) of this host, and makes
  /// its context current in the calling thread. The rank gets number
  /// `localRank` of the GPUs that this process sees. If the process sees a
  /// single GPU, the rank gets that one: the launcher has chosen it for the
  /// rank. If the process sees several GPUs, but too few, and `mayShare` is
  /// true, ranks share them: the rank gets number `localRank` modulo their
  /// number. Fails if there is no driver or no GPU for the rank; the error says
  /// what to do.
  static absl::StatusOr<std::unique_ptr<Gpu>> open(int64_t localRank,
                                                   bool mayShare);

  /// Makes the GPU's context current in the calling thread.
  absl::Status makeCurrent() const;

  /// Loads the code of a program. `images` hold the same kernels for several
  /// chips; the first image that the GPU and its driver can run is loaded.
  /// Fails if they can run none; the error says what to do.
  absl::Status load(const std::vector<Image>& images);

  /// Returns the function `name` of the loaded image. Fails if there is none.
  absl::StatusOr<Function> find(const std::string& name) const;

  /// Whether the GPU's streams can write words in memory, and wait until a word
  /// has a value (MemoryOp).
  bool canWaitForMemory() const;

  /// Allocates `bytes` bytes, or one byte if `bytes` is 0. Fails with
  /// kResourceExhausted if the GPU has too little free memory; the error says
  /// how much is free.
  absl::StatusOr<Address> allocate(int64_t bytes) const;

  /// Frees memory that allocate() returned. Does nothing if `address` is 0 or
  /// the GPU is abandoned.
  void free(Address address) const;

  /// Declares that work on the GPU may never end. From now on nothing waits for
  /// this work, and nothing is freed: the process has to end.
  void abandon() { isAbandoned_ = true; }
  bool isAbandoned() const { return isAbandoned_; }

  const Driver& driver() const { return driver_; }

  /// Returns the GPU's universal identity: "GPU-0123abcd...".
  const std::string& uuid() const { return uuid_; }

  /// Returns "NVIDIA H100 80GB HBM3 (sm_90, GPU-0123abcd...)".
  std::string describe() const;

 private:
  explicit Gpu(const Driver& driver) : driver_(driver) {}
  absl::Status readName();
  absl::Status load(const Image& image);

  const Driver& driver_;
  DeviceId device_ = 0;
  Context context_ = nullptr;
  std::string name_;    // "NVIDIA H100 80GB HBM3"
  std::string uuid_;    // "GPU-0123abcd..."
  int capability_ = 0;  // of the chip: 90 for sm_90
  Module module_ = nullptr;
  bool isAbandoned_ = false;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_GPU_H_
