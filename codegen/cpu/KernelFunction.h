// Adds CPU kernels, as functions of their buffers, to a module.

#ifndef CODEGEN_CPU_KERNELFUNCTION_H_
#define CODEGEN_CPU_KERNELFUNCTION_H_

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp::cpu {

/// Adds to `module` a func.func `name` with an argument for each of `buffers`.
/// `body` emits its code, and gets a reference to the first element of each
/// buffer.
void addKernelFunction(
    mlir::ModuleOp module, mlir::Location loc, llvm::StringRef name,
    llvm::ArrayRef<BufferType> buffers,
    llvm::function_ref<void(KernelBuilder&, llvm::ArrayRef<ElementRef>)> body);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_KERNELFUNCTION_H_
