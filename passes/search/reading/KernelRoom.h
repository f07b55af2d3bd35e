// Memory of an op's kernel, by the signature of the op.
//
// The code generator is asked for the op with the local shapes of the busiest
// device (dialects/sbp/KernelMemory.h).

#ifndef PASSES_SEARCH_READING_KERNELROOM_H_
#define PASSES_SEARCH_READING_KERNELROOM_H_

#include <map>

#include "dialects/sbp/KernelMemory.h"
#include "dialects/support/LLVM.h"
#include "passes/module/OpKey.h"
#include "passes/plan/Signatures.h"

namespace sbp::search {

/// The memory of kernels on a mesh, cached by local types.
class KernelRoom {
 public:
  KernelRoom(MLIRContext* context, const Mesh& mesh)
      : kernels_(kernelMemoryOf(context)), mesh_(mesh) {}

  /// Memory of one kernel.
  struct Bytes {
    /// Scratch memory beside operands and results.
    double working = 0;
    /// Bytes per result that cannot overwrite an operand; 0 for a result that
    /// can.
    SmallVector<double> results;
  };

  /// Returns the bytes of `op` if it runs by `signature`; each buffer is
  /// aligned. If there is no code generator to ask, kernels have no scratch
  /// memory and overwrite no operand.
  Bytes of(Operation* op, const MeshSignature& signature);

 private:
  const KernelMemory* kernels_;
  const Mesh& mesh_;
  std::map<OpKey, Bytes> known_;  // by local types
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_KERNELROOM_H_
