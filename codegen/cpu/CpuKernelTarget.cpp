#include "codegen/cpu/CpuKernelTarget.h"

#include "codegen/cpu/KernelOp.h"

namespace sbp::cpu {

std::optional<KernelNeeds> CpuKernelTarget::lookUp(Operation* op) const {
  const std::optional<CpuKernel> kernel = CpuKernel::of(op);
  if (!kernel) return std::nullopt;
  return KernelNeeds{kernel->scratchBytes(target_),
                     inPlacePairs(op, [&](unsigned result, unsigned operand) {
                       return kernel->canWriteInPlace(result, operand);
                     })};
}

}  // namespace sbp::cpu
