// What has to be true of the code of kernels for a chip, whatever they compute.

#ifndef CODEGEN_CUDA_TESTING_CODEINSPECTION_H_
#define CODEGEN_CUDA_TESTING_CODEINSPECTION_H_

#include <string>

#include "codegen/cuda/Chip.h"
#include "codegen/cuda/testing/CompiledOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

namespace sbp::cuda {

class CodeInspection {
 public:
  /// Of the PTX for `chip` that is made of `code`. All have to outlive it.
  CodeInspection(const Chip& chip, const llvm::Module& code,
                 llvm::StringRef ptx)
      : chip_(chip), code_(code), ptx_(ptx) {}

  /// What is wrong with the whole, or "": it is of another version of PTX than
  /// the chip's, or for another chip; it calls functions that are not there;
  /// threads have memory of their own, which is slow; an access does not say
  /// which memory it goes to, or takes shared memory to be aligned better than
  /// it is.
  std::string fault() const;

  /// What is wrong with `kernel`, or "": there is no code for a launch, or none
  /// that stores to a result.
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
