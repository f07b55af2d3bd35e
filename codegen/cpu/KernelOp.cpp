#include "codegen/cpu/KernelOp.h"

#include "codegen/cpu/KernelOp.cpp.inc"

namespace sbp::cpu {

std::optional<CpuKernel> CpuKernel::of(mlir::Operation* op) {
  CpuKernel kernel;
  kernel.own_ = llvm::dyn_cast<CpuKernelOpInterface>(op);
  if (!kernel.own_) kernel.common_ = CommonKernel::of(op);
  if (!kernel.own_ && !kernel.common_) return std::nullopt;
  return kernel;
}

bool CpuKernel::canWriteInPlace(unsigned result, unsigned operand) const {
  return own_ ? CpuKernelOpInterface(own_).canWriteInPlaceOnCpu(result, operand)
              : common_->canWriteInPlace(result, operand);
}

void CpuKernel::build(KernelBuilder& builder,
                      const KernelArguments& arguments) const {
  if (own_)
    CpuKernelOpInterface(own_).buildKernel(builder, arguments);
  else
    common_->build(builder, arguments);
}

}  // namespace sbp::cpu
