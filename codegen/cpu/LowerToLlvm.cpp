#include "codegen/cpu/LowerToLlvm.h"

#include <utility>

#include "codegen/kernels/ApproximateMath.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/Passes.h"

namespace sbp::cpu {
namespace {

using namespace mlir;

/// Lowers to arithmetic, buffers, one-dimensional vectors and branches.
LogicalResult lowerToBranches(ModuleOp module, const Target& target) {
  PassManager passes(module.getContext());
  OpPassManager& perKernel = passes.nest<func::FuncOp>();
  perKernel.addPass(createConvertLinalgToLoopsPass());
  perKernel.addPass(createCanonicalizerPass());
  perKernel.addPass(createCSEPass());
  perKernel.addPass(createApproximateMathPass(target.hasFusedMultiplyAdd));
  perKernel.addPass(createConvertVectorToSCFPass());
  perKernel.addPass(memref::createExpandStridedMetadataPass());
  perKernel.addPass(createLowerAffinePass());
  perKernel.addPass(createCSEPass());
  perKernel.addPass(createSCFToControlFlowPass());
  return passes.run(module);
}

/// Converts all dialects at once: this is cheaper than a pass for each, and
/// needs no casts between their types.
LogicalResult convertToLlvmDialect(ModuleOp module,
                                   const llvm::DataLayout& dataLayout) {
  MLIRContext* context = module.getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  options.dataLayout = dataLayout;
  LLVMTypeConverter types(context, options);

  RewritePatternSet patterns(context);
  vector::populateVectorMaskMaterializationPatterns(
      patterns, /*force32BitVectorIndices=*/true);
  vector::populateVectorInterleaveToShufflePatterns(patterns);
  populateVectorToLLVMConversionPatterns(types, patterns,
                                         /*reassociateFPReductions=*/true,
                                         /*force32BitVectorIndices=*/true);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  index::populateIndexToLLVMConversionPatterns(types, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateFuncToLLVMConversionPatterns(types, patterns);
  ub::populateUBToLLVMConversionPatterns(types, patterns);

  LLVMConversionTarget conversion(*context);
  conversion.addLegalOp<ModuleOp>();
  return applyFullConversion(module, conversion, std::move(patterns));
}

/// Turns the function of bare pointers `body` into a kernel, as the header
/// describes.
void wrapKernel(LLVM::LLVMFuncOp body, SymbolTable& symbols) {
  MLIRContext* context = body.getContext();
  OpBuilder builder(body);
  std::string name = body.getName().str();
  symbols.remove(body);
  SymbolTable::setSymbolName(body, name + "_body");
  symbols.insert(body);
  body.setLinkage(LLVM::Linkage::Internal);

  auto pointer = LLVM::LLVMPointerType::get(context);
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer});
  auto kernel = LLVM::LLVMFuncOp::create(builder, body.getLoc(), name, type);
  symbols.insert(kernel);
  Block* entry = kernel.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < body.getNumArguments(); ++i) {
    body.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                    builder.getUnitAttr());
    body.setArgAttr(i, LLVM::LLVMDialect::getNoUndefAttrName(),
                    builder.getUnitAttr());
    body.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                    builder.getI64IntegerAttr(kBufferAlignment));
    Value address = LLVM::GEPOp::create(builder, body.getLoc(), pointer,
                                        pointer, entry->getArgument(0),
                                        LLVM::GEPArg(static_cast<int32_t>(i)));
    arguments.push_back(
        LLVM::LoadOp::create(builder, body.getLoc(), pointer, address));
  }
  LLVM::CallOp::create(builder, body.getLoc(), body, arguments);
  LLVM::ReturnOp::create(builder, body.getLoc(), ValueRange());
}

}  // namespace

LogicalResult lowerToLlvm(ModuleOp module, const Target& target) {
  if (failed(lowerToBranches(module, target))) return failure();

  llvm::DataLayout dataLayout = createTargetMachine(target)->createDataLayout();
  module->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(),
                  StringAttr::get(module.getContext(), target.triple));
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  StringAttr::get(module.getContext(),
                                  dataLayout.getStringRepresentation()));
  if (failed(convertToLlvmDialect(module, dataLayout))) return failure();

  SymbolTable symbols(module);
  for (auto function :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (!function.isExternal() &&
        function.getVisibility() == SymbolTable::Visibility::Public)
      wrapKernel(function, symbols);
  return success();
}

}  // namespace sbp::cpu
