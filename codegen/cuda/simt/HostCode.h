// Kernels of a GPU as code for this CPU: what each of their threads does.
//
// The LLVM IR from which PTX is made is taken as it is, but for what a CPU does
// not have:
//
//   address spaces            are one
//   llvm.nvvm.X               calls simt.X, a function of who runs the threads
//   a load or a store         calls simt.access before, to be checked

#ifndef CODEGEN_CUDA_SIMT_HOSTCODE_H_
#define CODEGEN_CUDA_SIMT_HOSTCODE_H_

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

class HostCode {
 public:
  /// Memory of the code's own.
  struct Memory {
    std::byte* begin = nullptr;
    int64_t bytes = 0;
  };

  struct Kernel {
    void (*run)(void* const* arguments) = nullptr;
    std::vector<Memory> shared;  // by the threads of a block
    /// Its threads neither wait for one another nor shuffle.
    bool hasLoneThreads = false;
  };

  /// Of `kernels`, LLVM IR for a GPU. `functions`: by name, without "simt.",
  /// what threads can call. Fails where the code calls another one.
  static absl::StatusOr<HostCode> of(
      const llvm::Module& kernels,
      const std::vector<std::pair<std::string, void*>>& functions);

  HostCode(HostCode&&);
  HostCode& operator=(HostCode&&);
  ~HostCode();

  /// The kernel `name`, which exists.
  const Kernel& operator[](const std::string& name) const {
    return kernels_.at(name);
  }

  /// What threads of all kernels read.
  const std::vector<Memory>& constants() const { return constants_; }

 private:
  HostCode();

  absl::Status findKernels(const llvm::Module& kernels);

  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::map<std::string, Kernel> kernels_;
  std::vector<Memory> constants_;
};

}  // namespace sbp::cuda::simt

#endif  // CODEGEN_CUDA_SIMT_HOSTCODE_H_
