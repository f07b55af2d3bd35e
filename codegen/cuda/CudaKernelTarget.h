// GPUs as a kernel target: which kernels they have, and the memory that these
// need.

#ifndef CODEGEN_CUDA_CUDAKERNELTARGET_H_
#define CODEGEN_CUDA_CUDAKERNELTARGET_H_

#include "codegen/plan/KernelTarget.h"

namespace sbp::cuda {

/// Reports the needs of kernels on a GPU, which are the same for all chips.
class CudaKernelTarget : public KernelTarget {
 public:
  std::optional<KernelNeeds> lookUp(Operation* op) const override;

 protected:
  StringRef kind() const override { return "GPU"; }

  /// Whether kernels take tensors of `type`. Kernels compute in f32 for both
  /// types.
  bool takes(mlir::FloatType type) const override {
    return type.isF32() || type.isBF16();
  }
  StringRef taken() const override { return "f32 and bf16"; }
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_CUDAKERNELTARGET_H_
