#include "codegen/cuda/DeviceCode.h"

#include "codegen/kernels/OptimizeIr.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

namespace sbp::cuda {

FailureOr<DeviceCode> DeviceCode::of(mlir::gpu::GPUModuleOp kernels,
                                     const Chip& chip) {
  mlir::registerBuiltinDialectTranslation(*kernels->getContext());
  mlir::registerGPUDialectTranslation(*kernels->getContext());
  mlir::registerLLVMDialectTranslation(*kernels->getContext());
  mlir::registerNVVMDialectTranslation(*kernels->getContext());
  DeviceCode code;
  code.context_ = std::make_unique<llvm::LLVMContext>();
  code.module_ =
      mlir::translateModuleToLLVMIR(kernels, *code.context_, "kernels");
  if (!code.module_)
    return kernels.emitError("cannot be translated to LLVM IR");
  code.machine_ = createTargetMachine(chip);
  code.module_->setTargetTriple(code.machine_->getTargetTriple());
  code.module_->setDataLayout(code.machine_->createDataLayout());
  optimizeIr(*code.module_, *code.machine_);
  return code;
}

FailureOr<std::string> DeviceCode::ptx(mlir::Location loc) {
  for (const llvm::Function& function : *module_)
    if (function.isDeclaration() && !function.isIntrinsic())
      return mlir::emitError(loc)
             << "a kernel calls the function '" << function.getName()
             << "', which no GPU has";
  // Code generation changes its module, so it gets a copy.
  std::unique_ptr<llvm::Module> module = llvm::CloneModule(*module_);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager codegen;
  if (machine_->addPassesToEmitFile(codegen, stream, nullptr,
                                    llvm::CodeGenFileType::AssemblyFile))
    return mlir::emitError(loc) << "LLVM cannot write PTX";
  codegen.run(*module);
  return text.str().str();
}

}  // namespace sbp::cuda
