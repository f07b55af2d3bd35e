// A kernel of a CPU as a function of its buffers.

#ifndef CODEGEN_CPU_KERNELFUNCTION_H_
#define CODEGEN_CPU_KERNELFUNCTION_H_

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp::cpu {

/// Adds the kernel `name` on such buffers to `module`; `body` emits its code
/// and gets the beginning of each buffer.
void addKernelFunction(
    mlir::ModuleOp module, mlir::Location loc, llvm::StringRef name,
    llvm::ArrayRef<BufferType> buffers,
    llvm::function_ref<void(KernelBuilder&, llvm::ArrayRef<ElementRef>)> body);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_KERNELFUNCTION_H_
