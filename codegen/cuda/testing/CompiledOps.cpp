#include "codegen/cuda/testing/CompiledOps.h"

#include <memory>

#include "codegen/cuda/LowerToLlvm.h"
#include "codegen/plan/KernelProvider.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

FailureOr<CompiledOps> CompiledOps::of(mlir::MLIRContext& context,
                                       const std::vector<mlir::Operation*>& ops,
                                       InPlace inPlace) {
  CompiledOps result;
  result.library_ = std::make_unique<DeviceKernels>(&context);
  DeviceKernels& library = *result.library_;
  for (mlir::Operation* op : ops) {
    FailureOr<KernelNeeds> needs = library.target().needsOf(op);
    if (failed(needs)) return failure();
    OpKernel kernel;
    kernel.inPlace = operandsOfResults(op, *needs, inPlace);
    FailureOr<int64_t> number = library.kernelFor(op, kernel.inPlace);
    if (failed(number)) return failure();
    kernel.name = library.kernelNames()[*number];
    kernel.launches = library.launchesOf(*number);
    kernel.scratchBytes = needs->scratchBytes;
    for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
      if (llvm::cast<mlir::RankedTensorType>(type).getNumElements() > 0)
        kernel.results.push_back(kernel.inPlace[i] == KernelProvider::kOwnBuffer
                                     ? op->getNumOperands() + i
                                     : kernel.inPlace[i]);
    result.kernels_.push_back(std::move(kernel));
  }
  if (failed(lowerToLlvm(library.kernels()))) return failure();
  return result;
}

FailureOr<DeviceCode> CompiledOps::codeFor(const Chip& chip) {
  return DeviceCode::of(library_->kernels(), chip);
}

}  // namespace sbp::cuda
