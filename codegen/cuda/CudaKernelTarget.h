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
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_CUDAKERNELTARGET_H_
