// The GPUs for which kernels are generated, and LLVM's code generator for them.
//
// A chip has the name that NVIDIA's tools use. Its code is written in the
// oldest version of PTX that supports the chip, so that old drivers load it.

#ifndef CODEGEN_CUDA_CHIP_H_
#define CODEGEN_CUDA_CHIP_H_

#include <memory>
#include <string>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Target/TargetMachine.h"

namespace sbp::cuda {

/// A model of GPU.
struct Chip {
  llvm::StringLiteral name;     // such as "sm_80"
  int capability;               // compute capability: 80
  llvm::StringLiteral feature;  // LLVM's name of the PTX version: "+ptx70"
  int64_t multiprocessors;      // number of multiprocessors (SMs)
  int64_t lanes;                // units of type f32 in a multiprocessor
  int64_t sharedBytes;          // most bytes of shared memory of one block
};

/// Returns all supported chips, the oldest one first.
llvm::ArrayRef<Chip> chips();

/// Returns the chip `name`, or null if there is none.
const Chip* chipNamed(llvm::StringRef name);

/// Returns the chip whose code suits a GPU of compute capability `capability`,
/// such as 90, best: the one of that capability, or else the newest older one
/// whose code later GPUs run too. Returns null if the GPU is older than all.
const Chip* chipFor(int capability);

/// Creates LLVM's code generator of PTX for `chip`.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Chip& chip);

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_CHIP_H_
