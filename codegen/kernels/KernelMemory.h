// Lets passes ask how much memory kernels need, and which results kernels may
// write over operands. Both depend on the target.

#ifndef CODEGEN_KERNELS_KERNELMEMORY_H_
#define CODEGEN_KERNELS_KERNELMEMORY_H_

#include "codegen/plan/KernelTarget.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp {

/// Registers in `context` an implementation of the dialect interface
/// KernelMemory (dialects/sbp/KernelMemory.h) that reports the needs of
/// `target`'s kernels. `target` must live as long as passes run in `context`.
/// Must be called at most once per context.
void addKernelMemory(mlir::MLIRContext& context, const KernelTarget& target);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_KERNELMEMORY_H_
