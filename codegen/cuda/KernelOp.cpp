#include "codegen/cuda/KernelOp.h"

#include "codegen/cuda/KernelOp.cpp.inc"

namespace sbp::cuda {

std::optional<CudaKernel> CudaKernel::of(mlir::Operation* op) {
  CudaKernel kernel;
  kernel.own_ = llvm::dyn_cast<CudaKernelOpInterface>(op);
  if (!kernel.own_) kernel.common_ = CommonKernel::of(op);
  if (!kernel.own_ && !kernel.common_) return std::nullopt;
  return kernel;
}

int64_t CudaKernel::scratchBytes() const {
  return own_ ? CudaKernelOpInterface(own_).getGpuScratchBytes() : 0;
}

bool CudaKernel::canWriteInPlace(unsigned result, unsigned operand) const {
  return own_
             ? CudaKernelOpInterface(own_).canWriteInPlaceOnGpu(result, operand)
             : common_->canWriteInPlace(result, operand);
}

void CudaKernel::build(Launches& launches) const {
  if (own_) return CudaKernelOpInterface(own_).buildKernel(launches);
  launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
    common_->build(builder, arguments);
  });
}

}  // namespace sbp::cuda
