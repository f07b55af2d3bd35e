// Loops with independent iterations (codegen/kernels/ParallelLoops.h) as code
// of one CPU thread.

#ifndef CODEGEN_CPU_VECTORLOOPS_H_
#define CODEGEN_CPU_VECTORLOOPS_H_

#include "codegen/cpu/Target.h"
#include "codegen/kernels/ParallelLoops.h"

namespace sbp::cpu {

/// Emits parallel loops as CPU code. Loops over elements are scalar code, and
/// LLVM vectorises the innermost loop where it can. Loops over rows are vector
/// code (VectorRows.h).
class VectorLoops : public ParallelLoops {
 public:
  /// `target` must outlive the object.
  explicit VectorLoops(const Target& target) : target_(target) {}

  void forEachElement(KernelBuilder& builder, llvm::ArrayRef<int64_t> extents,
                      llvm::ArrayRef<StridedTensor> inputs,
                      llvm::ArrayRef<StridedTensor> outputs,
                      Compute compute) override;

  void forEachRows(KernelBuilder& builder, RowShape shape, mlir::Type element,
                   llvm::function_ref<void(Rows&)> body) override;

 private:
  const Target& target_;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_VECTORLOOPS_H_
