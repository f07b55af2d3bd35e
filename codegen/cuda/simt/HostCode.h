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

  /// Of `kernels`, LLVM IR for a GPU. `functions`: by name, without "simt.",
  /// what threads can call. Fails where the code calls another one.
  static absl::StatusOr<HostCode> of(
      const llvm::Module& kernels,
      const std::vector<std::pair<std::string, void*>>& functions);

  HostCode(HostCode&&);
  HostCode& operator=(HostCode&&);
  ~HostCode();

  /// The function `name`, which exists; its arguments are pointers.
  void* operator[](const std::string& name) const;

  /// What the threads of a block share, of one kernel or another; and what all
  /// of them read.
  const std::vector<Memory>& shared() const { return shared_; }
  const std::vector<Memory>& constants() const { return constants_; }

 private:
  HostCode();

  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::vector<Memory> shared_, constants_;
};

}  // namespace sbp::cuda::simt

#endif  // CODEGEN_CUDA_SIMT_HOSTCODE_H_
