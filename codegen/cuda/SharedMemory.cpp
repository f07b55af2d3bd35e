#include "codegen/cuda/SharedMemory.h"

#include "codegen/cuda/KernelFunction.h"
#include "codegen/cuda/VectorAccess.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

using namespace mlir;

ElementRef addShared(KernelBuilder& builder, Type element,
                     int64_t numElements) {
  gpu::GPUFuncOp kernel = kernelFunction(builder);
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  Value buffer = kernel.addWorkgroupAttribution(
      MemRefType::get(numElements, element, MemRefLayoutAttrInterface(), space),
      builder.getLoc());
  kernel.setWorkgroupAttributionAttr(kernel.getNumWorkgroupAttributions() - 1,
                                     LLVM::LLVMDialect::getAlignAttrName(),
                                     builder.getI64IntegerAttr(kBytesOfAccess));
  return {buffer, builder.index(0)};
}

}  // namespace sbp::cuda
