#include "codegen/cuda/CudaKernelTarget.h"

#include "codegen/cuda/KernelOp.h"

namespace sbp::cuda {

std::optional<KernelNeeds> CudaKernelTarget::lookUp(Operation* op) const {
  const std::optional<CudaKernel> kernel = CudaKernel::of(op);
  if (!kernel) return std::nullopt;
  return KernelNeeds{kernel->scratchBytes(),
                     inPlacePairs(op, [&](unsigned result, unsigned operand) {
                       return kernel->canWriteInPlace(result, operand);
                     })};
}

}  // namespace sbp::cuda
