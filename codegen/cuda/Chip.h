// The GPUs for which kernels are generated.
//
// A chip is named as NVIDIA's tools name it. Each has the oldest version of PTX
// that knows it, so that drivers which are years old load what is made here.

#ifndef CODEGEN_CUDA_CHIP_H_
#define CODEGEN_CUDA_CHIP_H_

#include <memory>
#include <string>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Target/TargetMachine.h"

namespace sbp::cuda {

struct Chip {
  llvm::StringLiteral name;     // "sm_80"
  llvm::StringLiteral feature;  // of LLVM: the version of PTX, "+ptx70"
  int64_t multiprocessors;
  int64_t sharedBytes;  // that one block may have, at most
};

/// All of them, the oldest first.
llvm::ArrayRef<Chip> chips();

/// The chip `name`; null if there is none.
const Chip* chipNamed(llvm::StringRef name);

/// What makes PTX for `chip`.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Chip& chip);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_CHIP_H_
