#include "codegen/cuda/testing/CompiledOps.h"

#include <memory>

#include "codegen/cuda/LowerToLlvm.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

FailureOr<CompiledOps> CompiledOps::of(
    mlir::MLIRContext& context, const std::vector<mlir::Operation*>& ops) {
  CompiledOps result;
  result.library_ = std::make_unique<DeviceKernels>(&context);
  DeviceKernels& library = *result.library_;
  for (mlir::Operation* op : ops) {
    FailureOr<int64_t> number = library.kernelFor(op);
    if (failed(number)) return failure();
    OpKernel kernel;
    kernel.name = library.kernelNames()[*number];
    kernel.launches = library.launchesOf(*number);
    kernel.scratchBytes = library.target().needsOf(op)->scratchBytes;
    for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
      if (llvm::cast<mlir::RankedTensorType>(type).getNumElements() > 0)
        kernel.results.push_back(op->getNumOperands() + i);
    result.kernels_.push_back(std::move(kernel));
  }
  if (failed(lowerToLlvm(library.kernels()))) return failure();
  return result;
}

FailureOr<DeviceCode> CompiledOps::codeFor(const Chip& chip) {
  return DeviceCode::of(library_->kernels(), chip);
}

}  // namespace sbp::cuda
