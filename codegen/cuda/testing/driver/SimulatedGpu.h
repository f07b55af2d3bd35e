// A GPU that a test pretends to have: memory of this process, and the simulator
// of kernels (codegen/cuda/testing/simt/Simulator.h).

#ifndef CODEGEN_CUDA_TESTING_DRIVER_SIMULATEDGPU_H_
#define CODEGEN_CUDA_TESTING_DRIVER_SIMULATEDGPU_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "codegen/cuda/testing/simt/Simulator.h"

namespace sbp::cuda::driver {

/// A function of a module.
struct Kernel {
  std::string name;
  size_t numParameters = 0;  // each is the address of a buffer
};

/// The memory and the kernels of the only GPU. All functions may be called from
/// any thread.
class SimulatedGpu {
 public:
  /// Returns the GPU of this process.
  static SimulatedGpu& instance();

  /// Allocates memory, filled with NaNs. Returns 0 if it does not suffice.
  uint64_t allocate(size_t bytes);
  /// Frees memory that begins at `address`; returns whether there is such.
  bool free(uint64_t address);
  /// Writes a name of the memory at `address`, by which other processes map it,
  /// to `handle`, which has 64 bytes. Returns whether there is such memory.
  bool share(uint64_t address, void* handle);
  /// Maps memory of another process. Returns 0 if that is impossible.
  uint64_t open(const void* handle);
  /// Whether all of the bytes lie in memory that is allocated.
  bool holds(uint64_t address, size_t bytes);

  size_t freeBytes();
  size_t totalBytes() const { return totalBytes_; }

  /// Loads the kernels that were appended to this process's program
  /// (AppendedKernels.h). `ptx` is the text of the program's kernels. Fails if
  /// there are no appended kernels, or if they belong to another plan.
  absl::Status load(const char* ptx);

  /// Returns the kernel `name`; null if there is none.
  Kernel* find(const std::string& name);

  /// Runs a kernel on `buffers`. Fails as the simulator does.
  absl::Status run(const Kernel& kernel, int64_t numBlocks, int64_t numThreads,
                   const std::vector<void*>& buffers);

 private:
  /// Memory of the GPU: memory of this process, or of another one.
  struct Allocation {
    size_t bytes = 0;
    int descriptor = -1;  // by which others map it
  };

  SimulatedGpu();

  std::mutex mutex_;  // guards all that follows
  size_t totalBytes_;
  size_t usedBytes_ = 0;
  std::map<uint64_t, Allocation> allocations_;  // by address
  std::unique_ptr<simt::Simulator> simulator_;
  std::map<std::string, Kernel> kernels_;
};

}  // namespace sbp::cuda::driver

#endif  // CODEGEN_CUDA_TESTING_DRIVER_SIMULATEDGPU_H_
