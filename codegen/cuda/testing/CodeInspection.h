// Checks of the generated code of kernels that hold for every kernel.

#ifndef CODEGEN_CUDA_TESTING_CODEINSPECTION_H_
#define CODEGEN_CUDA_TESTING_CODEINSPECTION_H_

#include <string>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/testing/CompiledOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace sbp::cuda {

/// Checks the PTX of a module of kernels, and the IR that it is generated from.
class CodeInspection {
 public:
  /// Inspects `ptx`, which was generated from `code` for `chip`. All three must
  /// outlive the object.
  CodeInspection(const Chip& chip, const llvm::Module& code,
                 llvm::StringRef ptx)
      : chip_(chip), code_(code), ptx_(ptx) {}

  /// Returns "", or the first fault of the module:
  ///
  ///   - it has another version of PTX, or another target, than the chip;
  ///   - it calls a function that is not defined;
  ///   - it uses local memory of threads, which is slow;
  ///   - an access has no address space (generic addressing);
  ///   - an access assumes a larger alignment than its shared memory has.
  std::string fault() const;

  /// Returns "", or the first fault of `kernel`: a launch has no code, or no
  /// launch stores to a result.
  std::string faultOf(const OpKernel& kernel) const;

 private:
  bool hasLine(const std::string& line) const;
  std::string faultOfAlignment() const;
  bool storesTo(const OpKernel& kernel, unsigned argument) const;

  const Chip& chip_;
  const llvm::Module& code_;
  llvm::StringRef ptx_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_CODEINSPECTION_H_
