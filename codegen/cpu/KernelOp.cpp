#include "codegen/cpu/KernelOp.h"

#include "codegen/cpu/KernelOp.cpp.inc"

namespace sbp::cpu {

std::optional<CpuKernel> CpuKernel::of(mlir::Operation* op) {
  CpuKernel kernel;
  kernel.own_ = llvm::dyn_cast<CpuKernelOpInterface>(op);
  if (!kernel.own_) kernel.portable_ = llvm::dyn_cast<KernelOpInterface>(op);
  if (!kernel.own_ && !kernel.portable_) return std::nullopt;
  return kernel;
}

bool CpuKernel::canWriteInPlace(unsigned result, unsigned operand) const {
  return own_ ? CpuKernelOpInterface(own_).canWriteInPlaceOnCpu(result, operand)
              : KernelOpInterface(portable_).canWriteInPlace(result, operand);
}

void CpuKernel::build(KernelBuilder& builder,
                      const KernelArguments& arguments) const {
  if (own_)
    CpuKernelOpInterface(own_).buildKernel(builder, arguments);
  else
    KernelOpInterface(portable_).buildKernel(builder, arguments);
}

}  // namespace sbp::cpu
