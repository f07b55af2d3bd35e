#include "codegen/cuda/testing/simt/HostCode.h"

#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "fmt/format.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/math/BFloat16.h"

namespace sbp::cuda::simt {
namespace {

constexpr const char* kPrefix = "simt.";
constexpr const char* kAccess = "simt.access";
constexpr unsigned kSharedSpace = 3;

/// Returns the text of `module`, with one address space, and with calls of
/// functions in place of intrinsics.
std::string retargeted(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  // The address spaces are global, shared, constant and local memory, and
  // parameters.
  return absl::StrReplaceAll(text, {{" addrspace(1)", ""},
                                    {" addrspace(3)", ""},
                                    {" addrspace(4)", ""},
                                    {" addrspace(5)", ""},
                                    {" addrspace(101)", ""},
                                    {"addrspacecast", "bitcast"},
                                    {"@llvm.nvvm.", "@simt."},
                                    {"ptx_kernel ", ""}});
}

bool isShared(const llvm::GlobalVariable& global) {
  return global.getAddressSpace() == kSharedSpace;
}

/// Returns the names of the functions that use `value`, which is a global or a
/// constant expression of one.
std::set<std::string> usersOf(const llvm::Value& value) {
  std::set<std::string> functions;
  for (const llvm::User* user : value.users())
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      functions.insert(instruction->getFunction()->getName().str());
    else
      functions.merge(usersOf(*user));
  return functions;
}

/// Whether `function` calls no intrinsics of a GPU except those that read the
/// indices of the thread and the block.
bool hasIndependentThreads(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee->getName().starts_with("llvm.nvvm.") &&
        !callee->getName().starts_with("llvm.nvvm.read."))
      return false;
  }
  return true;
}

/// Adds unused bytes after each array in shared memory, so that an access
/// beyond the end of one does not hit the next. `module` was made from
/// `kernels`, which still has the address spaces.
void separateShared(llvm::Module& module, const llvm::Module& kernels) {
  constexpr int64_t kBytesBetween = 64;
  for (const llvm::GlobalVariable& global : kernels.globals()) {
    if (!isShared(global)) continue;
    llvm::GlobalVariable* shared = module.getNamedGlobal(global.getName());
    const auto bytes = static_cast<int64_t>(
        module.getDataLayout().getTypeAllocSize(shared->getValueType()));
    auto* type = llvm::ArrayType::get(
        llvm::Type::getInt8Ty(module.getContext()), bytes + kBytesBetween);
    auto* padded = new llvm::GlobalVariable(module, type, /*isConstant=*/false,
                                            shared->getLinkage(),
                                            llvm::PoisonValue::get(type));
    padded->setAlignment(shared->getAlign());
    padded->takeName(shared);
    shared->replaceAllUsesWith(padded);
    shared->eraseFromParent();
  }
}

/// Inserts a call of simt.access(address, bytes, alignment, isStore) before
/// each load and store, except those of the thread's own stack.
void checkAccesses(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  const llvm::FunctionCallee access = module.getOrInsertFunction(
      kAccess, builder.getVoidTy(), builder.getPtrTy(), builder.getInt64Ty(),
      builder.getInt64Ty(), builder.getInt32Ty());
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) {
        llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (!pointer) continue;
        if (llvm::isa<llvm::AllocaInst>(pointer->stripInBoundsOffsets()))
          continue;
        builder.SetInsertPoint(&instruction);
        const int64_t bytes = static_cast<int64_t>(
            layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)));
        const auto alignment = static_cast<int64_t>(
            llvm::getLoadStoreAlignment(&instruction).value());
        builder.CreateCall(
            access,
            {pointer, builder.getInt64(bytes), builder.getInt64(alignment),
             builder.getInt32(llvm::isa<llvm::StoreInst>(instruction))});
      }
}

absl::Status asStatus(llvm::Error error) {
  return absl::InternalError(llvm::toString(std::move(error)));
}

/// Suffix of the name of a kernel's wrapper that takes its arguments as an
/// array.
constexpr llvm::StringRef kOfArray = ".of_array";

/// Adds a function that calls `kernel` with the pointers in an array, its only
/// argument.
void addFunctionOfArray(llvm::Function& kernel) {
  llvm::LLVMContext& context = kernel.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer},
                              /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, kernel.getName() + kOfArray,
      kernel.getParent());
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
  std::vector<llvm::Value*> arguments;
  for (size_t i = 0; i < kernel.arg_size(); ++i)
    arguments.push_back(builder.CreateLoad(
        pointer, builder.CreateConstGEP1_64(pointer, function->getArg(0), i)));
  builder.CreateCall(&kernel, arguments)
      ->setCallingConv(kernel.getCallingConv());
  builder.CreateRetVoid();
}

/// Rounds to bf16. LLVM calls this function as __truncsfbf2 if the CPU has no
/// such instruction, and libgcc of older systems does not define it.
__bf16 roundedToBf16(float value) {
  return __builtin_bit_cast(__bf16, math::BFloat16(value));
}

/// Returns this CPU without its instructions that round to bf16, because they
/// flush denormals to zero. Code with checks runs a few times only, so it is
/// not worth optimising it once more.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> hostMachine(Checks checks) {
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (machine)
    machine->addFeatures({"-avx512bf16", "-avxneconvert"})
        .setCodeGenOptLevel(checks == Checks::All
                                ? llvm::CodeGenOptLevel::None
                                : llvm::CodeGenOptLevel::Default);
  return machine;
}

void initializeHost() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
}

}  // namespace

HostCode::HostCode() = default;
HostCode::HostCode(HostCode&&) noexcept = default;
HostCode& HostCode::operator=(HostCode&&) noexcept = default;
HostCode::~HostCode() = default;

absl::StatusOr<HostCode> HostCode::of(
    const llvm::Module& kernels,
    const std::vector<std::pair<std::string, void*>>& functions,
    Checks checks) {
  initializeHost();
  HostCode result;
  llvm::Expected<llvm::orc::JITTargetMachineBuilder> machine =
      hostMachine(checks);
  if (!machine) return asStatus(machine.takeError());
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(*machine))
          .create();
  if (!jit) return asStatus(jit.takeError());
  result.jit_ = std::move(*jit);

  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(retargeted(kernels), diagnostic, *context);
  if (!module)
    return absl::InternalError(fmt::format(
        "cannot be read again: {}, line {}: {}", diagnostic.getMessage().str(),
        diagnostic.getLineNo(), diagnostic.getLineContents().str()));
  module->setTargetTriple(result.jit_->getTargetTriple());
  module->setDataLayout(result.jit_->getDataLayout());
  for (llvm::GlobalVariable& global : module->globals())
    global.setLinkage(llvm::GlobalValue::ExternalLinkage);
  for (llvm::Function& function : *module) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
  separateShared(*module, kernels);
  if (checks == Checks::All) checkAccesses(*module);
  for (const llvm::Function& kernel : kernels)
    if (!kernel.isDeclaration())
      addFunctionOfArray(*module->getFunction(kernel.getName()));
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*module, &stream)) return absl::InternalError(broken);

  llvm::orc::SymbolMap symbols;
  const auto define = [&](const std::string& name, void* address) {
    symbols[result.jit_->mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  for (const auto& [name, address] : functions) define(kPrefix + name, address);
  define("__truncsfbf2", reinterpret_cast<void*>(&roundedToBf16));
  for (const llvm::Function& function : *module)
    if (function.isDeclaration() &&
        absl::StartsWith(function.getName().str(), kPrefix) &&
        symbols.count(result.jit_->mangleAndIntern(function.getName())) == 0)
      return absl::UnimplementedError(fmt::format(
          "no function stands for {} on a CPU", function.getName().str()));
  if (llvm::Error error = result.jit_->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(std::move(symbols))))
    return asStatus(std::move(error));
  if (llvm::Error error = result.jit_->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
    return asStatus(std::move(error));
  if (absl::Status status = result.findKernels(kernels); !status.ok())
    return status;
  return result;
}

absl::Status HostCode::findKernels(const llvm::Module& kernels) {
  for (const llvm::Function& function : kernels) {
    if (function.isDeclaration()) continue;
    auto address = jit_->lookup((function.getName() + kOfArray).str());
    if (!address) return asStatus(address.takeError());
    kernels_[function.getName().str()] = {
        address->toPtr<void (*)(void* const*)>(),
        {},
        hasIndependentThreads(function)};
  }
  const llvm::DataLayout& layout = kernels.getDataLayout();
  for (const llvm::GlobalVariable& global : kernels.globals()) {
    auto address = jit_->lookup(global.getName());
    if (!address) return asStatus(address.takeError());
    const Memory memory = {
        address->toPtr<std::byte*>(),
        static_cast<int64_t>(layout.getTypeAllocSize(global.getValueType()))};
    if (!isShared(global)) {
      constants_.push_back(memory);
      continue;
    }
    for (const std::string& user : usersOf(global))
      kernels_[user].shared.push_back(memory);
  }
  return absl::OkStatus();
}

}  // namespace sbp::cuda::simt
