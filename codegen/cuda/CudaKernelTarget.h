// A GPU, as those see it who lay out memory.

#ifndef CODEGEN_CUDA_CUDAKERNELTARGET_H_
#define CODEGEN_CUDA_CUDAKERNELTARGET_H_

#include "codegen/plan/KernelTarget.h"

namespace sbp::cuda {

/// Kernels need the same on every chip.
class CudaKernelTarget : public KernelTarget {
 public:
  std::optional<KernelNeeds> lookUp(Operation* op) const override;

 protected:
  StringRef kind() const override { return "GPU"; }

  /// They compute in f32.
  bool takes(mlir::FloatType type) const override {
    return type.isF32() || type.isBF16();
  }
  StringRef taken() const override { return "f32 and bf16"; }
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_CUDAKERNELTARGET_H_
