// A GPU, as this process uses it: which one it is, and the program's functions
// on it.

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
  /// Opens a GPU for the rank that is number `localRank` of its host. The rank
  /// gets the GPU of its number among those that this process sees. If there is
  /// only one, launchers have chosen it for the rank; if there are too few and
  /// `mayShare`, ranks get them in turn. Fails, with what to do, if there is no
  /// driver or no GPU for the rank.
  static absl::StatusOr<std::unique_ptr<Gpu>> open(int64_t localRank,
                                                   bool mayShare);

  /// Loads the first of `images`, which are of one program, that the GPU and
  /// its driver run. Fails, with what to do, if they run none.
  absl::Status load(const std::vector<Image>& images);

  /// Returns the function `name` of the image. Fails if there is none.
  absl::StatusOr<Function> find(const std::string& name) const;

  /// Whether the GPU's streams can wait for words in memory (MemoryOp).
  bool canWaitForMemory() const;

  /// Allocates `bytes` bytes, or one if that is 0. The status is
  /// kResourceExhausted if the GPU has too few, and says how many it has.
  absl::StatusOr<Address> allocate(int64_t bytes) const;

  /// Frees what allocate() has returned, unless the GPU is abandoned.
  void free(Address address) const;

  /// Declares that work on the GPU may never end. From now on nothing waits for
  /// it, and nothing is freed: the process has to end.
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
  std::string name_;    // "NVIDIA H100 80GB HBM3"
  std::string uuid_;    // "GPU-0123abcd..."
  int capability_ = 0;  // of the chip: 90 for sm_90
  Module module_ = nullptr;
  bool isAbandoned_ = false;
};

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_GPU_H_
