// The GPU of the stand-in driver: memory of this process, and the simulator of
// kernels (codegen/cuda/testing/simt/Simulator.h).

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

  /// Allocates `bytes` bytes, filled with NaNs, and returns their address; 0 if
  /// there is not enough memory.
  uint64_t allocate(size_t bytes);
  /// Frees the allocation that begins at `address`. Returns whether there is
  /// one.
  bool free(uint64_t address);
  /// Writes a handle of the allocation that begins at `address` to the 64 bytes
  /// at `handle`. Other processes map the memory by it (open()). Returns
  /// whether there is such an allocation.
  bool share(uint64_t address, void* handle);
  /// Maps the memory of another process that `handle` denotes, and returns its
  /// address; 0 if that is impossible.
  uint64_t open(const void* handle);
  /// Whether the `bytes` bytes from `address` on lie in one allocation.
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
  /// Memory of the GPU that this process has allocated.
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
