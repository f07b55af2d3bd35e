#include "codegen/cuda/KernelFunction.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// Of all chips that there are kernels for.
constexpr int32_t kThreadsOfMultiprocessor = 2048;

}  // namespace

gpu::GPUFuncOp kernelFunction(KernelBuilder& builder) {
  Operation* parent = builder.getInsertionBlock()->getParentOp();
  auto kernel = dyn_cast<gpu::GPUFuncOp>(parent);
  return kernel ? kernel : parent->getParentOfType<gpu::GPUFuncOp>();
}

void keepHalfOccupied(KernelBuilder& builder) {
  gpu::GPUFuncOp kernel = kernelFunction(builder);
  const int32_t threads = kernel.getKnownBlockSizeAttr()[0];
  kernel->setAttr(
      NVVM::NVVMDialect::getMinctasmAttrName(),
      builder.getI32IntegerAttr(kThreadsOfMultiprocessor / 2 / threads));
}

}  // namespace sbp::cuda
