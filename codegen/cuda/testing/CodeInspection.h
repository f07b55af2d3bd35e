// Checks that the generated code of every kernel must pass.

#ifndef CODEGEN_CUDA_TESTING_CODEINSPECTION_H_
#define CODEGEN_CUDA_TESTING_CODEINSPECTION_H_

#include <string>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/testing/CompiledOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace sbp::cuda {

/// Checks the PTX of a module of kernels, and the IR from which the PTX is
/// generated.
class CodeInspection {
 public:
  /// Inspects `ptx`, which was generated from `code` for `chip`. All three must
  /// outlive the object.
  CodeInspection(const Chip& chip, const llvm::Module& code,
                 llvm::StringRef ptx)
      : chip_(chip), code_(code), ptx_(ptx) {}

  /// Returns "", or the first fault of the module:
  ///
  ///   - its version of PTX, or its target, is not that of the chip;
  ///   - it calls a function that is not defined;
  ///   - it uses local memory of threads, which is slow;
  ///   - an access has no address space (generic addressing);
  ///   - an access to shared memory or to constants assumes a larger alignment
  ///     than the memory has.
  std::string fault() const;

  /// Returns "", or the first fault of `kernel`: a launch without code, or a
  /// result to which no launch stores.
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
