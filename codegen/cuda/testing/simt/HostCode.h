// Compiles kernels of a GPU for this CPU, as functions that do the work of one
// thread.
//
// The input is the LLVM IR from which PTX is generated. It is changed only
// where a CPU differs from a GPU, and to check accesses:
//
//   address spaces          become one
//   llvm.nvvm.X             becomes a call of simt.X, a function that the
//                           caller of HostCode::of() passes
//   a load or a store       is preceded by a call of simt.access, unless it
//                           accesses the thread's own stack, or accesses are
//                           not checked
//   arrays in shared        are followed by 64 unused bytes, so that an access
//   memory                  beyond the end of one does not hit the next

#ifndef CODEGEN_CUDA_TESTING_SIMT_HOSTCODE_H_
#define CODEGEN_CUDA_TESTING_SIMT_HOSTCODE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/IR/Module.h"

namespace llvm::orc {
class LLJIT;
}  // namespace llvm::orc

namespace sbp::cuda::simt {

/// Whether the accesses of kernels are checked. Without checks they run several
/// times as fast.
enum class Checks { All, None };

/// The compiled kernels of a module.
class HostCode {
 public:
  /// A range of memory that the code defines: an array in shared memory, or a
  /// constant.
  struct Memory {
    std::byte* begin = nullptr;
    int64_t bytes = 0;
  };

  /// A kernel as a function of this CPU.
  struct Kernel {
    /// Does the work of one thread. `arguments` has the address of each buffer.
    void (*run)(void* const* arguments) = nullptr;
    std::vector<Memory> shared;  // the shared memory that the kernel uses
    /// Whether the threads of a block neither wait for one another nor shuffle.
    bool hasIndependentThreads = false;
  };

  /// Compiles `kernels`, LLVM IR for a GPU. `functions` has the names, without
  /// "simt.", and the addresses of the functions simt.X, with "access" among
  /// them. Fails if the code cannot be compiled, or calls a function that is
  /// not in `functions`.
  static absl::StatusOr<HostCode> of(
      const llvm::Module& kernels,
      const std::vector<std::pair<std::string, void*>>& functions,
      Checks checks);

  HostCode(HostCode&&) noexcept;
  HostCode& operator=(HostCode&&) noexcept;
  ~HostCode();

  /// Returns the kernel `name`, which must exist.
  const Kernel& operator[](const std::string& name) const {
    return kernels_.at(name);
  }

  /// The constant data that all kernels may read.
  const std::vector<Memory>& constants() const { return constants_; }

 private:
  HostCode();

  /// Looks up the compiled functions and the memory of `kernels`.
  absl::Status findKernels(const llvm::Module& kernels);

  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::map<std::string, Kernel> kernels_;
  std::vector<Memory> constants_;
};

}  // namespace sbp::cuda::simt

#endif  // CODEGEN_CUDA_TESTING_SIMT_HOSTCODE_H_
