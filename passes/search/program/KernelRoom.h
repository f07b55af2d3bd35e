// The room in memory that the kernel of an op takes, by how the op runs.
//
// Asked of the code generator, for the op at the shapes of the parts that the
// busiest device has (dialects/sbp/KernelMemory.h).

#ifndef PASSES_SEARCH_PROGRAM_KERNELROOM_H_
#define PASSES_SEARCH_PROGRAM_KERNELROOM_H_

#include <map>

#include "dialects/sbp/KernelMemory.h"
#include "dialects/support/LLVM.h"
#include "passes/module/OpKey.h"
#include "passes/plan/Signatures.h"

namespace sbp::search {

class KernelRoom {
 public:
  KernelRoom(MLIRContext* context, const Mesh& mesh)
      : kernels_(kernelMemoryOf(context)), mesh_(mesh) {}

  struct Bytes {
    /// What it works in beside operands and results.
    double working = 0;
    /// Per result, its bytes if it cannot lie where an operand lies, else 0.
    SmallVector<double> results;
  };

  /// What `op` takes if it runs by `signature`, in whole buffers. Without a
  /// code generator to ask, kernels work in nothing and overwrite nothing.
  Bytes of(Operation* op, const MeshSignature& signature);

 private:
  const KernelMemory* kernels_;
  const Mesh& mesh_;
  std::map<OpKey, Bytes> known_;  // by local types
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_KERNELROOM_H_
