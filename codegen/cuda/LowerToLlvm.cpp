#include "codegen/cuda/LowerToLlvm.h"

#include <utility>

#include "codegen/kernels/ApproximateMath.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/Passes.h"

namespace sbp::cuda {
namespace {

using namespace mlir;

/// Lowers loops and structured ops to branches, and elementary functions to
/// arithmetic. Arithmetic, buffers and one-dimensional vectors remain.
LogicalResult lowerToBranches(gpu::GPUModuleOp kernels) {
  PassManager passes(kernels->getContext(),
                     gpu::GPUModuleOp::getOperationName());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  // A GPU has registers and integer units of 32 bits, and nearly all indices
  // fit into 32 bits.
  passes.addPass(arith::createArithIntRangeNarrowing({{32}}));
  passes.addNestedPass<gpu::GPUFuncOp>(
      createApproximateMathPass(/*hasFusedMultiplyAdd=*/true));
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createCSEPass());
  passes.addPass(createSCFToControlFlowPass());
  return passes.run(kernels);
}

/// Converts all dialects to llvm and nvvm at once. That is cheaper than a pass
/// per dialect, and maps each op of arith and math to LLVM, not to a call of
/// NVIDIA's device library.
LogicalResult convert(gpu::GPUModuleOp kernels) {
  MLIRContext* context = kernels->getContext();
  context->loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter types(context, options);
  configureGpuToNVVMTypeConverter(types);

  RewritePatternSet patterns(context);
  populateGpuToNVVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns,
                                         /*reassociateFPReductions=*/false);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  ub::populateUBToLLVMConversionPatterns(types, patterns);

  LLVMConversionTarget conversion(*context);
  conversion.addIllegalDialect<gpu::GPUDialect>();
  conversion.addLegalDialect<NVVM::NVVMDialect>();
  conversion.addLegalOp<gpu::GPUModuleOp>();
  return applyFullConversion(kernels, conversion, std::move(patterns));
}

}  // namespace

LogicalResult lowerToLlvm(gpu::GPUModuleOp kernels) {
  if (failed(lowerToBranches(kernels))) return failure();
  return convert(kernels);
}

}  // namespace sbp::cuda
