#include "codegen/cuda/KernelFunction.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace sbp::cuda {

using namespace mlir;

gpu::GPUFuncOp kernelFunction(KernelBuilder& builder) {
  Operation* parent = builder.getInsertionBlock()->getParentOp();
  auto kernel = dyn_cast<gpu::GPUFuncOp>(parent);
  return kernel ? kernel : parent->getParentOfType<gpu::GPUFuncOp>();
}

void limitRegisters(KernelBuilder& builder, int32_t residentThreads) {
  gpu::GPUFuncOp kernel = kernelFunction(builder);
  const int32_t ofBlock = kernel.getKnownBlockSizeAttr()[0];
  kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  builder.getI32IntegerAttr(residentThreads / ofBlock));
}

}  // namespace sbp::cuda
