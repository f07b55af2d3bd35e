#include "codegen/cpu/EmitObject.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "codegen/kernels/OptimizeIr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/SplitModule.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

namespace sbp::cpu {
namespace {

using namespace mlir;

/// Sets the CPU of each function: LLVM's optimiser reads it from the function,
/// not from the module.
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

/// Optimises `module`, and returns the bytes of the output; nothing if LLVM
/// cannot write it for `target`.
std::optional<std::string> generate(llvm::Module& module, const Target& target,
                                    OutputKind kind) {
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(target);
  setTarget(module, target);
  optimizeIr(module, *machine);

  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (kind == OutputKind::kLlvm) {
    module.print(stream, nullptr);
    return bytes.str().str();
  }
  llvm::legacy::PassManager codegen;
  auto fileType = kind == OutputKind::kObject
                      ? llvm::CodeGenFileType::ObjectFile
                      : llvm::CodeGenFileType::AssemblyFile;
  if (machine->addPassesToEmitFile(codegen, stream, nullptr, fileType))
    return std::nullopt;
  codegen.run(module);
  return bytes.str().str();
}

LogicalResult cannotWrite(ModuleOp module, const Target& target) {
  return module.emitError("LLVM cannot write such a file for '")
         << target.triple << "'";
}

/// Fails with a diagnostic if `object` refers to a symbol that is neither a
/// kernel in `symbols` nor one that every C library has.
LogicalResult checkReferences(const SymbolTable& symbols, StringRef object) {
  Operation* module = symbols.getOp();
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(
          llvm::MemoryBufferRef(object, "kernels"));
  if (!file)
    return module->emitError("cannot read the object just made: ")
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
    if (*name == "memcpy" || *name == "memmove" || *name == "memset") continue;
    auto kernel = symbols.lookup<FunctionOpInterface>(*name);
    if (!kernel || kernel.isExternal())
      return module->emitError("a kernel needs the function '")
             << *name << "', which no object may refer to";
  }
  return success();
}

FailureOr<std::unique_ptr<llvm::Module>> translate(ModuleOp module,
                                                   llvm::LLVMContext& context) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "kernels");
  if (!translated)
    return module.emitError("cannot translate the kernels to LLVM IR");
  return translated;
}

/// Splits `module` into parts, as bitcode, since each thread works on a context
/// of its own.
std::vector<llvm::SmallString<0>> split(llvm::Module& module) {
  // A part has few functions, so that no core waits long for another one with
  // large functions, but enough that setting up LLVM's passes takes little time
  // in comparison. A kernel is two functions.
  constexpr size_t kFunctionsOfPart = 12, kMostParts = 64;
  const size_t numParts =
      std::clamp<size_t>(module.size() / kFunctionsOfPart, 1, kMostParts);
  std::vector<llvm::SmallString<0>> parts;
  llvm::SplitModule(
      module, numParts,
      [&](std::unique_ptr<llvm::Module> part) {
        llvm::raw_svector_ostream stream(parts.emplace_back());
        llvm::WriteBitcodeToFile(*part, stream);
      },
      /*PreserveLocals=*/true);
  return parts;
}

std::optional<std::string> generateObject(StringRef bitcode,
                                          const Target& target) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = llvm::cantFail(llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bitcode, "kernels"), context));
  return generate(*module, target, OutputKind::kObject);
}

}  // namespace

FailureOr<std::string> emit(ModuleOp module, const Target& target,
                            OutputKind kind) {
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> translated =
      translate(module, context);
  if (failed(translated)) return failure();
  std::optional<std::string> bytes = generate(**translated, target, kind);
  if (!bytes) return cannotWrite(module, target);
  if (kind == OutputKind::kObject &&
      failed(checkReferences(SymbolTable(module), *bytes)))
    return failure();
  return *std::move(bytes);
}

FailureOr<std::vector<std::string>> emitObjects(ModuleOp module,
                                                const Target& target) {
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> translated =
      translate(module, context);
  if (failed(translated)) return failure();
  std::vector<llvm::SmallString<0>> parts = split(**translated);

  std::vector<std::optional<std::string>> generated(parts.size());
  llvm::DefaultThreadPool threads;
  for (auto [part, object] : llvm::zip_equal(parts, generated))
    threads.async([&target, &part = part, &object = object] {
      object = generateObject(part, target);
    });
  threads.wait();

  const SymbolTable symbols(module);
  std::vector<std::string> objects;
  for (std::optional<std::string>& object : generated) {
    if (!object) return cannotWrite(module, target);
    if (failed(checkReferences(symbols, *object))) return failure();
    objects.push_back(*std::move(object));
  }
  return objects;
}

}  // namespace sbp::cpu
