#include "codegen/cpu/EmitObject.h"

#include <memory>
#include <utility>

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

namespace sbp::cpu {
namespace {

using namespace mlir;

/// Says of each function what CPU it is for: LLVM's optimiser asks the
/// function, not the module.
void setTarget(llvm::Module& module, const Target& target) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("target-features", target.features);
    // LLVM prefers half of an AVX-512 register for fear of lower clocks, which
    // the CPUs since Ice Lake and Zen 4 no longer have.
    function.addFnAttr("prefer-vector-width",
                       std::to_string(target.vectorBytes * 8));
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

void optimize(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

/// Fails if `object` refers to a symbol that the C library need not have.
LogicalResult checkReferences(ModuleOp module, StringRef object) {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(
          llvm::MemoryBufferRef(object, "kernels"));
  if (!file)
    return module.emitError("cannot read the object just made: ")
           << llvm::toString(file.takeError());
  for (const llvm::object::SymbolRef& symbol : (*file)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<StringRef> name = symbol.getName();
    if (!flags || !name) {
      llvm::consumeError(flags.takeError());
      llvm::consumeError(name.takeError());
      continue;
    }
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined) || name->empty())
      continue;
    if (*name != "memcpy" && *name != "memmove" && *name != "memset")
      return module.emitError("a kernel needs the function '")
             << *name << "', which no object may refer to";
  }
  return success();
}

}  // namespace

FailureOr<std::string> emit(ModuleOp module, const Target& target,
                            OutputKind kind) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context, "kernels");
  if (!llvmModule)
    return module.emitError("cannot translate the kernels to LLVM IR");

  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(target);
  setTarget(*llvmModule, target);
  optimize(*llvmModule, *machine);

  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (kind == OutputKind::kLlvm) {
    llvmModule->print(stream, nullptr);
    return bytes.str().str();
  }
  llvm::legacy::PassManager codegen;
  auto fileType = kind == OutputKind::kObject
                      ? llvm::CodeGenFileType::ObjectFile
                      : llvm::CodeGenFileType::AssemblyFile;
  if (machine->addPassesToEmitFile(codegen, stream, nullptr, fileType))
    return module.emitError("LLVM cannot write such a file for '")
           << target.triple << "'";
  codegen.run(*llvmModule);
  if (kind == OutputKind::kObject &&
      failed(checkReferences(module, bytes.str())))
    return failure();
  return bytes.str().str();
}

}  // namespace sbp::cpu
