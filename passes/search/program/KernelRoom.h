// The room in memory that the kernel of an op works in, by how the op runs.
//
// Asked of the code generator, for the op at the shapes of the parts that the
// busiest device has (dialects/sbp/KernelMemory.h).

#ifndef PASSES_SEARCH_PROGRAM_KERNELROOM_H_
#define PASSES_SEARCH_PROGRAM_KERNELROOM_H_

#include <map>

#include "dialects/sbp/KernelMemory.h"
#include "dialects/support/LLVM.h"
#include "passes/OpKey.h"
#include "passes/placement/Signatures.h"

namespace sbp::search {

class KernelRoom {
 public:
  KernelRoom(MLIRContext* context, const Mesh& mesh)
      : kernels_(kernelMemoryOf(context)), mesh_(mesh) {}

  /// Bytes beside operands and results if `op` runs by `signature`; 0 if there
  /// is no code generator to ask.
  double of(Operation* op, const MeshSignature& signature);

 private:
  const KernelMemory* kernels_;
  const Mesh& mesh_;
  std::map<OpKey, double> known_;  // by local types
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_KERNELROOM_H_
