// Tells passes what memory kernels work in.

#ifndef CODEGEN_KERNELS_KERNELMEMORY_H_
#define CODEGEN_KERNELS_KERNELMEMORY_H_

#include "codegen/plan/KernelTarget.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp {

/// From now on passes in `context`, which lives no longer than `target`, can
/// ask what kernels need (dialects/sbp/KernelMemory.h). Once per context.
void addKernelMemory(mlir::MLIRContext& context, const KernelTarget& target);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_KERNELMEMORY_H_
