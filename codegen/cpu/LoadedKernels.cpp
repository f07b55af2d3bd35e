#include "codegen/cpu/LoadedKernels.h"

#include <utility>

#include "codegen/cpu/EmitObject.h"
#include "codegen/cpu/LowerToLlvm.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"

namespace sbp::cpu {

LoadedKernels::LoadedKernels(std::unique_ptr<llvm::orc::LLJIT> jit)
    : jit_(std::move(jit)) {}

LoadedKernels::~LoadedKernels() = default;

std::unique_ptr<LoadedKernels> LoadedKernels::compile(mlir::ModuleOp module,
                                                      const Target& target) {
  if (mlir::failed(lowerToLlvm(module, target))) return nullptr;
  mlir::FailureOr<std::string> object =
      emit(module, target, OutputKind::kObject);
  if (mlir::failed(object)) return nullptr;
  const auto fail = [&](llvm::Error error) {
    module.emitError() << "cannot load the kernels: "
                       << llvm::toString(std::move(error));
    return nullptr;
  };
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit) return fail(jit.takeError());
  if (llvm::Error error = (*jit)->addObjectFile(
          llvm::MemoryBuffer::getMemBufferCopy(*object, "kernels.o")))
    return fail(std::move(error));
  return std::unique_ptr<LoadedKernels>(new LoadedKernels(std::move(*jit)));
}

LoadedKernels::Kernel LoadedKernels::operator[](llvm::StringRef name) const {
  return Kernel(
      llvm::cantFail(jit_->lookup(name)).toPtr<void (*)(void* const*)>());
}

}  // namespace sbp::cpu
